// Guildhall plugin for ServUO: links between game accounts and users of the site. Core thread only.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using Server;
using Server.Accounting;
using Server.Commands;

namespace Guildhall
{
    /// <summary>
    /// Stores links as tags of the accounts, so that a world that returns to a save has the links of that save.
    /// </summary>
    internal static class Links
    {
        private const string TagName = "GuildhallUser"; // value: user id, space, epoch ms
        private const string Alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; // without I, O, 0 and 1
        private const int CodeLength = 8;
        private static readonly TimeSpan CodeLifetime = TimeSpan.FromMinutes(15);

        private sealed class LinkedUser
        {
            public long UserId;
            public long LinkedAt;
        }

        private sealed class LinkCode
        {
            public Account Account;
            public DateTime ExpiresAt;
        }

        private static readonly Dictionary<Account, LinkedUser> m_Links = new Dictionary<Account, LinkedUser>();
        private static readonly Dictionary<string, LinkCode> m_Codes = new Dictionary<string, LinkCode>(StringComparer.Ordinal);

        public static int Count { get { return m_Links.Count; } }

        // ---- the links

        /// <summary>Reads the tags of all accounts once; later only the plugin changes them.</summary>
        public static void Register()
        {
            foreach (IAccount each in Accounts.GetAccounts())
            {
                var account = each as Account;
                LinkedUser link = account == null ? null : ReadTag(account.GetTag(TagName));

                if (link != null)
                    m_Links[account] = link;
            }
        }

        private static LinkedUser ReadTag(string value)
        {
            long userId, linkedAt;
            string[] parts = (value ?? "").Split(' ');

            if (parts.Length != 2 || !Int64.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out userId)
                || !Int64.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out linkedAt))
                return null;

            return new LinkedUser { UserId = userId, LinkedAt = linkedAt };
        }

        private static LinkedUser Find(Account account)
        {
            LinkedUser link;
            return m_Links.TryGetValue(account, out link) ? link : null;
        }

        /// <summary>Links an account. Returns the time in epoch milliseconds.</summary>
        public static long Add(Account account, long userId, string by)
        {
            var link = new LinkedUser { UserId = userId, LinkedAt = Facts.Now };
            account.SetTag(TagName, String.Format(CultureInfo.InvariantCulture, "{0} {1}", link.UserId, link.LinkedAt));
            m_Links[account] = link;
            EmitLink("account.linked", account, link, by);
            return link.LinkedAt;
        }

        /// <summary>Returns false if the account was not linked.</summary>
        public static bool Remove(Account account, string by)
        {
            LinkedUser link = Find(account);

            if (link == null)
                return false;

            account.RemoveTag(TagName);
            m_Links.Remove(account);
            EmitLink("account.unlinked", account, link, by);
            return true;
        }

        public static int RemoveAll()
        {
            var accounts = new List<Account>(m_Links.Keys);

            foreach (Account account in accounts)
                Remove(account, "staff");

            return accounts.Count;
        }

        private static void EmitLink(string kind, Account account, LinkedUser link, string by)
        {
            if (!Facts.IsPlainName(account.Username))
                return;

            Events.Emit(kind, Events.MakeKey(kind, account.Username.ToLowerInvariant()), new JsonWriter().Open().Field("acct", account.Username).Field("webId", link.UserId).Field("by", by).Close());
        }

        /// <summary>Writes `{ links: [{ account, userId, linkedAt }] }` for the accounts that still exist.</summary>
        public static IEnumerable<CommandOutcome> List()
        {
            var links = new List<KeyValuePair<Account, LinkedUser>>(m_Links);
            var body = new JsonWriter(64 + 80 * links.Count).Open().OpenList("links");

            for (int i = 0; i < links.Count; i++)
            {
                Account account = links[i].Key;
                LinkedUser link = links[i].Value;

                if (Accounts.GetAccount(account.Username) == account && Facts.IsPlainName(account.Username))
                    body.Open().Field("account", account.Username).Field("userId", link.UserId).Field("linkedAt", link.LinkedAt).Close();

                if (i % 100 == 99)
                    yield return null;
            }

            yield return new CommandOutcome(body.CloseList().Close());
        }

        // ---- codes

        /// <summary>
        /// Registers [link and [weblink. If the game already has a command "link" for staff, staff keep it and use
        /// [weblink.
        /// </summary>
        public static void RegisterCommand()
        {
            CommandEntry staffCommand;
            CommandSystem.Entries.TryGetValue("Link", out staffCommand);
            CommandSystem.Register("WebLink", AccessLevel.Player, OnLinkCommand);
            CommandSystem.Register("Link", AccessLevel.Player, e =>
            {
                if (staffCommand != null && staffCommand.AccessLevel > AccessLevel.Player && e.Mobile.AccessLevel >= staffCommand.AccessLevel)
                    staffCommand.Handler(e);
                else
                    OnLinkCommand(e);
            });
        }

        private static void OnLinkCommand(CommandEventArgs e)
        {
            Guard.Run("link", () =>
            {
                var account = e.Mobile.Account as Account;

                if (account == null)
                    return;

                if (Link.Site == null)
                {
                    e.Mobile.SendMessage("This server is not linked to a site yet.");
                    return;
                }

                LinkedUser link = Find(account);

                if (link != null)
                    e.Mobile.SendMessage("Your account is already linked to a user of {0}. Only the same user can use a new code.", Link.Site.Host);

                e.Mobile.SendMessage(0x35, "Your code: {0}. Type it on {1} within {2} minutes. It works once. Show it to nobody.", MakeCode(account), Link.Site.Host, (int)CodeLifetime.TotalMinutes);
            });
        }

        /// <summary>Returns a new code, which replaces the account's former one.</summary>
        private static string MakeCode(Account account)
        {
            RemoveCodes(code => code.Account == account || code.ExpiresAt < DateTime.UtcNow);

            var bytes = new byte[CodeLength];

            using (var random = new RNGCryptoServiceProvider())
                random.GetBytes(bytes);

            var text = new char[CodeLength];

            for (int i = 0; i < CodeLength; i++)
                text[i] = Alphabet[bytes[i] % Alphabet.Length]; // 32 divides 256, so all letters are equally likely

            m_Codes[new string(text)] = new LinkCode { Account = account, ExpiresAt = DateTime.UtcNow + CodeLifetime };
            return new string(text);
        }

        private static void RemoveCodes(Predicate<LinkCode> mustRemove)
        {
            var expired = new List<string>();

            foreach (var entry in m_Codes)
            {
                if (mustRemove(entry.Value))
                    expired.Add(entry.Key);
            }

            foreach (string code in expired)
                m_Codes.Remove(code);
        }

        // ---- redeeming

        private const int MaxTries = 10; // wrong codes per user
        private const int MaxTriesOfAllUsers = 100;
        private static readonly TimeSpan TriesWindow = TimeSpan.FromMinutes(10);
        private static readonly List<KeyValuePair<DateTime, long>> m_WrongTries = new List<KeyValuePair<DateTime, long>>();

        /// <summary>Links the account that a code was made for to the user who typed it on the site.</summary>
        public static CommandOutcome Redeem(string input, long? userId)
        {
            if (userId == null)
                throw RefusalException.Invalid("actor", "names no user");

            CheckTries(userId.Value);
            LinkCode code;

            if (!m_Codes.TryGetValue(Normalize(input), out code) || code.ExpiresAt < DateTime.UtcNow || Accounts.GetAccount(code.Account.Username) != code.Account)
            {
                m_WrongTries.Add(new KeyValuePair<DateTime, long>(DateTime.UtcNow, userId.Value));
                throw RefusalException.NotFound();
            }

            Account account = code.Account;
            LinkedUser link = Find(account);

            if (link != null && link.UserId != userId)
                throw new RefusalException(409, "TAKEN");

            RemoveCodes(each => each == code);
            long linkedAt = link == null ? Add(account, userId.Value, "player") : link.LinkedAt;
            return new CommandOutcome(new JsonWriter().Open().Field("account", account.Username).Field("access", account.AccessLevel.ToString()).Field("linkedAt", linkedAt).Close());
        }

        private static void CheckTries(long userId)
        {
            DateTime since = DateTime.UtcNow - TriesWindow;
            m_WrongTries.RemoveAll(each => each.Key < since);
            int own = m_WrongTries.FindAll(each => each.Value == userId).Count;

            if (own >= MaxTries || m_WrongTries.Count >= MaxTriesOfAllUsers)
                throw new RefusalException(429, "LIMIT");
        }

        private static string Normalize(string input)
        {
            return (input ?? "").Trim().Replace("-", "").Replace(" ", "").ToUpperInvariant();
        }
    }
}
