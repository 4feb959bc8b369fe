// Guildhall plugin for ServUO: creates game accounts. Core thread only.
using System;
using System.Net;
using Server;
using Server.Accounting;
using Server.Misc;
using Server.Network;

namespace Guildhall
{
    /// <summary>
    /// Scripts cannot change the game's own setting (AutoCreateAccounts), which the game reads once at its
    /// start. So the plugin applies the mode before the game handles a sign-in: it refuses an unknown name, or
    /// creates the account by the game's own rules.
    /// </summary>
    internal static class Signup
    {
        private static readonly string[] m_Modes = { "disabled", "website", "hybrid", "game" };

        private static bool CanGameCreateAccounts { get { return Config.Get("Accounts.AutoCreateAccounts", true); } }

        public static string Mode
        {
            get
            {
                string mode = Settings.GetText("SignupMode");
                return Array.IndexOf(m_Modes, mode) >= 0 ? mode : CanGameCreateAccounts ? "hybrid" : "website";
            }
        }

        private static bool IsOpenInGame { get { return Mode == "hybrid" || Mode == "game"; } }
        private static bool IsOpenOnSite { get { return Mode == "hybrid" || Mode == "website"; } }

        public static CommandOutcome ReadMode()
        {
            return new CommandOutcome(new JsonWriter().Open().Field("mode", Mode).Close());
        }

        public static CommandOutcome SetMode(string mode)
        {
            if (Array.IndexOf(m_Modes, mode) < 0)
                throw RefusalException.Invalid("mode", "must be disabled, website, hybrid or game");

            Settings.SaveInBackground("SignupMode", mode);
            return ReadMode();
        }

        /// <summary>Applies the mode to a sign-in with an unknown name. Runs before the game's own handler.</summary>
        public static void CheckNewAccount(AccountLoginEventArgs e)
        {
            if (IsOpenInGame == CanGameCreateAccounts)
                return;

            if (IsOpenInGame)
            {
                if (IsValidName(e.Username) && IsValidPassword(e.Password) && AccountHandler.CanCreate(e.State.Address))
                    new Account(e.Username, e.Password); // the constructor adds it to the accounts
            }
            else
            {
                e.Accepted = false;
                e.RejectReason = ALRReason.Invalid;
                AccountAttackLimiter.RegisterInvalidAccess(e.State);
            }
        }

        public static CommandOutcome CreateAccount(string name, string password, string address, long? userId)
        {
            if (!IsOpenOnSite)
                throw new RefusalException(403, "SIGNUP_CLOSED");

            if (!IsValidName(name) || name.IndexOf(' ') >= 0)
                throw RefusalException.Invalid("account", "must have 1 to 30 letters, digits and signs, must not contain a space or < > : \" / \\ | ? *, and must not end with a dot");

            if (!IsValidPassword(password))
                throw RefusalException.Invalid("password", "must have 1 to 30 ASCII letters, digits and signs");

            if (Accounts.GetAccount(name) != null)
                throw new RefusalException(409, "TAKEN");

            IPAddress ip;
            bool hasAddress = IPAddress.TryParse(address ?? "", out ip);

            if (hasAddress && !IPAddress.IsLoopback(ip) && !AccountHandler.CanCreate(ip))
                throw new RefusalException(429, "LIMIT");

            var account = new Account(name, password);

            if (hasAddress)
                CountAddress(account, ip);

            States.ReportNewAccount(account, hasAddress ? ip.ToString() : null, "website");

            if (userId != null)
                Links.Add(account, userId.Value, "site");

            return new CommandOutcome(201, new JsonWriter().Open().Field("account", account.Username).Field("linked", userId != null).Close().ToString());
        }

        /// <summary>Counts the account for the visitor's address: the game limits accounts by their first address.</summary>
        private static void CountAddress(Account account, IPAddress ip)
        {
            int count;
            AccountHandler.IPTable.TryGetValue(ip, out count);
            account.LoginIPs = new[] { ip };
            AccountHandler.IPTable[ip] = count + 1;
        }

        /// <summary>Repeats the game's private rule for names. The game's sign-in packet holds 30 characters.</summary>
        private static bool IsValidName(string name)
        {
            if (String.IsNullOrEmpty(name) || name.Length > 30 || name[0] == ' ' || name[name.Length - 1] == ' ' || name[name.Length - 1] == '.')
                return false;

            foreach (char c in name)
            {
                if (c < 0x20 || c >= 0x7F || "<>:\"/\\|?* ".IndexOf(c) >= 0)
                    return false;
            }

            return true;
        }

        private static bool IsValidPassword(string password)
        {
            if (String.IsNullOrEmpty(password) || password.Length > 30)
                return false;

            foreach (char c in password)
            {
                if (c < 0x20 || c >= 0x7F)
                    return false;
            }

            return true;
        }
    }
}
