/** The texts of the refusal page, by status. The page is for browsers that come from a link or a provider. */
const refusalTexts: Readonly<Record<number, string>> = {
  400: "This sign-in has ended: it was already completed, took too long, or began in another browser.",
  404: "This sign-in provider is not available at the moment.",
  429: "Too many sign-ins were started from your network. Try again in a minute.",
  502: "The sign-in provider failed. Try again in a moment, or use another way to sign in.",
};

export function renderRefusalPage(status: number): string | undefined {
  const text = refusalTexts[status];
  return text && page(text);
}

/** The heading does not say whether the user is signed in: a signed-in user may have gone back to this page. */
const page = (text: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sign in</title>
    <style>
      body {
        max-width: 34rem; margin: 4rem auto; padding: 0 1rem;
        background: light-dark(#fff, #14171b); color: light-dark(#1b1f24, #e7e9ec);
        font: 1rem/1.5 system-ui, sans-serif;
      }
      a { color: inherit }
    </style>
  </head>
  <body>
    <main>
      <h1>The sign-in ends here</h1>
      <p>${text}</p>
      <p><a href="/login">Sign in</a></p>
    </main>
  </body>
</html>
`;
