const button = (account: string): string => `
      <p><a class="account" href="?account=${encodeURIComponent(account)}">Sign in as ${account}</a></p>`;

/** Returns the page of the provider on which the user chooses an account. */
export const choicePage = (accounts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Harbour ID</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem }
      a { display: block; padding: 0.6rem 1rem; border: 1px solid; border-radius: 0.4rem; text-decoration: none; color: inherit }
      a.decline { border: 0; text-decoration: underline }
    </style>
  </head>
  <body>
    <main>
      <h1>Harbour ID</h1>
      <p>A sign-in provider for demonstrations: it asks for no password.</p>${accounts
        .map(button)
        .join("")}
      <p><a class="decline" href="?account=">Decline</a></p>
    </main>
  </body>
</html>
`;
