// Guildhall plugin for ServUO: the calls of the site to the game. Core thread only, in the slices of
// Guildhall.cs.
using System;
using System.Collections.Generic;
using System.Reflection;
using Server;
using Server.Accounting;
using Server.Items;
using Server.Mobiles;
using Server.Network;

namespace Guildhall
{
    internal sealed class GameCall
    {
        private readonly Command m_Command;
        private IEnumerator<CommandOutcome> m_Steps;

        public GameCall(Command command)
        {
            m_Command = command;
        }

        /// <summary>Runs one step. Returns false when the command has ended.</summary>
        public bool RunStep()
        {
            CommandOutcome outcome;

            try
            {
                if (m_Steps == null)
                {
                    // Skip an expired read: the site no longer waits for its answer.
                    if (m_Command.Key == null && DateTime.UtcNow > m_Command.ExpiresAt)
                        return false;

                    m_Steps = GameCalls.Begin(m_Command);
                }

                outcome = m_Steps.MoveNext() ? m_Steps.Current : new CommandOutcome(500, "{\"code\":\"FAILED\"}");
            }
            catch (RefusalException refusal)
            {
                outcome = refusal.ToOutcome();
            }
            catch (Exception e)
            {
                Journal.Report(m_Command.Call, e);
                outcome = new CommandOutcome(500, "{\"code\":\"FAILED\"}");
            }

            if (outcome == null)
                return true;

            Inbox.Finish(m_Command, outcome);
            return false;
        }
    }

    internal static class GameCalls
    {
        private static readonly Dictionary<string, Func<Command, IEnumerable<CommandOutcome>>> m_Handlers = new Dictionary<string, Func<Command, IEnumerable<CommandOutcome>>>(StringComparer.Ordinal);

        /// <summary>THE table of calls. Calls that read files are in GuildhallFiles.cs.</summary>
        public static void Register()
        {
            Add("POST /v1/resync", Resync);
            Add("POST /v1/accounts", call => Signup.CreateAccount(call.Body.TextOf("account"), call.Body.TextOf("password"), call.Body.TextOf("ip"), call.UserId));
            Add("GET /v1/signup-mode", call => Signup.ReadMode());
            Add("PUT /v1/signup-mode", call => Signup.SetMode(call.Body.TextOf("mode")));
            Add("POST /v1/links/redeem", call => Links.Redeem(call.Body.TextOf("code"), call.UserId));
            m_Handlers["GET /v1/links"] = call => Links.List();
            Add("DELETE /v1/links/:account", Unlink);
            Add("GET /v1/accounts/:account/roster", ReadRoster);
            m_Handlers["GET /v1/accounts/:account/vendors"] = ReadVendors;
            Add("GET /v1/characters/:serial", ReadCharacter);
            Add("POST /v1/kick", Kick);
            Add("POST /v1/ban", Ban);
            Add("POST /v1/unban", Unban);
            Add("POST /v1/broadcast", Broadcast);
            Add("GET /v1/towncrier", call => States.ListCrierEntries());
            Add("POST /v1/towncrier", AddCrierEntry);
            Add("DELETE /v1/towncrier/:id", call => States.RemoveCrierEntry(call.Params.TextOf("id")));
            Add("GET /v1/pages", call => States.ListPages());
            Add("POST /v1/pages/:id/respond", AnswerPage);
            Add("POST /v1/pages/:id/close", call => States.ClosePage(call.Params.TextOf("id")));
            Add("POST /v1/champions/:id/start", call => States.SetChampion(call.Params.TextOf("id"), true));
            Add("POST /v1/champions/:id/stop", call => States.SetChampion(call.Params.TextOf("id"), false));
            m_Handlers["POST /v1/bodies/resolve"] = Bodies.Resolve;
        }

        private static void Add(string call, Func<Command, CommandOutcome> run)
        {
            m_Handlers[call] = command => new[] { run(command) };
        }

        public static IEnumerator<CommandOutcome> Begin(Command command)
        {
            Func<Command, IEnumerable<CommandOutcome>> run;

            if (!m_Handlers.TryGetValue(command.Call, out run))
                throw new RefusalException(422, "UNSUPPORTED");

            if (command.Key != null && !Settings.GetFlag("Writes", true))
                throw new RefusalException(403, "WRITES_DISABLED");

            return run(command).GetEnumerator();
        }

        // ---- input

        private static string RequireText(Command call, string name, int maxLength)
        {
            string value = call.Body.TextOf(name);

            if (String.IsNullOrEmpty(value) || value.Length > maxLength)
                throw RefusalException.Invalid(name, "must have 1 to " + maxLength + " characters");

            return value;
        }

        private static long ReadInteger(Command call, string name, long min, long max, long fallback)
        {
            if (call.Body.MemberOf(name) == null)
                return fallback;

            long? value = call.Body.IntegerOf(name);

            if (value == null || value < min || value > max)
                throw RefusalException.Invalid(name, "must be a whole number from " + min + " to " + max);

            return value.Value;
        }

        private static Account FindAccount(string name)
        {
            var account = name == null ? null : Accounts.GetAccount(name) as Account;

            if (account == null)
                throw RefusalException.NotFound();

            return account;
        }

        /// <summary>Finds the account, the character or both that the site names. Refuses accounts of staff.</summary>
        private static Account FindTarget(Command call, out Mobile character)
        {
            string name = call.Body.TextOf("account"), serial = call.Body.TextOf("serial");

            if (name == null && serial == null)
                throw RefusalException.Invalid("account", "or serial is required");

            character = serial == null ? null : World.FindMobile(Facts.ReadSerial(serial)) as PlayerMobile;

            if (serial != null && (character == null || character.Account == null))
                throw RefusalException.NotFound();

            Account account = FindAccount(name ?? character.Account.Username);

            if (character != null && character.Account != account)
                throw RefusalException.NotFound();

            if (Facts.IsStaff(account))
                throw new RefusalException(403, "PROTECTED");

            return account;
        }

        private static JsonWriter OpenOk()
        {
            return new JsonWriter().Open().Field("ok", true);
        }

        // ---- the link itself

        private static CommandOutcome Resync(Command call)
        {
            var families = new List<string>();

            foreach (object family in call.Body.ListOf("families") ?? new List<object>())
            {
                if (family is string)
                    families.Add((string)family);
            }

            States.RequestSnapshots(families);
            return new CommandOutcome(202, "{}");
        }

        private static CommandOutcome Unlink(Command call)
        {
            Account account = FindAccount(call.Params.TextOf("account"));

            if (Facts.IsStaff(account))
                throw new RefusalException(403, "PROTECTED");

            bool wasLinked = Links.Remove(account, "site");
            return new CommandOutcome(new JsonWriter().Open().Field("account", account.Username).Field("unlinked", wasLinked).Close());
        }

        // ---- accounts and characters

        private static CommandOutcome ReadRoster(Command call)
        {
            Account account = FindAccount(call.Params.TextOf("account"));
            var body = new JsonWriter(1024).Open().Field("account", account.Username).OpenList("characters");

            foreach (Mobile m in Facts.CharactersOf(account))
            {
                Map map;
                Point3D at;
                Facts.FindPlace(m, out map, out at);
                var player = m as PlayerMobile;

                body.Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Text("race", m.Race == null ? null : m.Race.Name).Field("female", m.Female).Text("guild", m.Guild == null ? null : m.Guild.Name)
                    .Text("map", map == null || map == Map.Internal ? null : map.Name).Field("online", m.NetState != null).Field("lastLogin", player == null ? account.LastLogin : player.LastOnline).Close();
            }

            return new CommandOutcome(body.CloseList().Close());
        }

        private static IEnumerable<CommandOutcome> ReadVendors(Command call)
        {
            Account account = FindAccount(call.Params.TextOf("account"));
            var body = new JsonWriter(1024).Open().Field("account", account.Username).OpenList("vendors");

            foreach (PlayerVendor vendor in (PlayerVendor.PlayerVendors ?? new List<PlayerVendor>()).ToArray())
            {
                if (vendor.Deleted || vendor.Owner == null || vendor.Owner.Account != account)
                    continue;

                body.Open().Serial("serial", vendor.Serial).Text("shopName", vendor.ShopName);

                if (vendor.Map == null || vendor.Map == Map.Internal)
                    body.Null("location");
                else
                    body.Open("location").PlaceFields(vendor.Map, vendor.Location).Text("house", vendor.House == null || vendor.House.Sign == null ? null : vendor.House.Sign.GetName()).Close();

                body.Field("gold", vendor.HoldGold).Field("chargePerDay", vendor.IsCommission ? null : (long?)vendor.ChargePerRealWorldDay).Field("items", States.CountItems(vendor)).Close();
                yield return null;
            }

            yield return new CommandOutcome(body.CloseList().Close());
        }

        private static CommandOutcome ReadCharacter(Command call)
        {
            var m = World.FindMobile(Facts.ReadSerial(call.Params.TextOf("serial"))) as PlayerMobile;

            if (m == null || m.Deleted || m.Account == null)
                throw RefusalException.NotFound();

            var body = new JsonWriter(8192).Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("account", m.Account.Username).Text("title", String.IsNullOrEmpty(m.Title) ? null : m.Title)
                .Text("race", m.Race == null ? null : m.Race.Name).Field("female", m.Female);

            body.Open("stats").Field("str", m.Str).Field("dex", m.Dex).Field("int", m.Int).Field("hits", m.Hits).Field("hitsMax", m.HitsMax).Field("stam", m.Stam).Field("stamMax", m.StamMax)
                .Field("mana", m.Mana).Field("manaMax", m.ManaMax).Field("statCap", m.StatCap).Field("luck", m.Luck).Close();

            body.Open("resists").Field("physical", m.PhysicalResistance).Field("fire", m.FireResistance).Field("cold", m.ColdResistance).Field("poison", m.PoisonResistance).Field("energy", m.EnergyResistance).Close();
            body.OpenList("skills");

            for (int i = 0; i < m.Skills.Length; i++)
            {
                Skill skill = m.Skills[i];

                if (skill != null)
                    body.Open().Field("name", skill.SkillName.ToString()).Field("value", skill.BaseFixedPoint).Field("cap", skill.CapFixedPoint).Field("lock", skill.Lock.ToString()).Close();
            }

            body.CloseList().Field("fame", m.Fame).Field("karma", m.Karma).Field("kills", m.Kills).Text("guild", m.Guild == null ? null : m.Guild.Name).Open("virtues");

            for (int i = 0; i < Events.VirtueNames.Length; i++)
                body.Field(Events.VirtueNames[i], m.Virtues == null ? 0 : m.Virtues.GetValue(i));

            WriteEquipment(body.Close().OpenList("equipment"), m);
            return new CommandOutcome(body.CloseList().Close());
        }

        private static void WriteEquipment(JsonWriter to, Mobile m)
        {
            foreach (Item item in m.Items)
            {
                // Without the client's tiledata every item has the layer Invalid.
                if (item.Layer == Layer.Invalid || item.Layer > Layer.LastUserValid || item.Layer == Layer.Backpack)
                    continue;

                to.Open().Field("layer", item.Layer.ToString()).Field("itemId", item.ItemID).Field("hue", Math.Max(0, item.Hue)).Text("name", String.IsNullOrEmpty(item.Name) ? null : item.Name)
                    .Field("cliloc", item.LabelNumber > 0 ? (long?)item.LabelNumber : null).Close();
            }
        }

        // ---- moderation

        private static int Disconnect(Account account, Mobile character)
        {
            int count = 0;

            foreach (NetState state in NetState.Instances.ToArray())
            {
                if (state.Account != account || (character != null && state.Mobile != character))
                    continue;

                state.Dispose();
                count++;
            }

            return count;
        }

        private static CommandOutcome Kick(Command call)
        {
            Mobile character;
            Account account = FindTarget(call, out character);
            return new CommandOutcome(OpenOk().Field("account", account.Username).Field("kicked", Disconnect(account, character)).Close());
        }

        private static CommandOutcome Ban(Command call)
        {
            Mobile character;
            Account account = FindTarget(call, out character);
            long seconds = ReadInteger(call, "durationSec", 0, Int32.MaxValue, 0);
            string reason = Facts.Cut(call.Body.TextOf("reason") ?? "", 1000);
            TimeSpan duration = seconds == 0 ? TimeSpan.MaxValue : TimeSpan.FromSeconds(seconds);

            account.SetBanTags(null, DateTime.UtcNow, duration);
            account.Banned = true;
            account.Comments.Add(new AccountComment("Guildhall", String.Format("Banned on the site by {0}: {1}", call.Username ?? "its staff", reason)));
            States.ReportAudit(account, "banned", call.Username, reason);

            if (reason.Length > 0)
                SendToSessions(account, "You are banned. Reason: " + reason);

            Disconnect(account, null);
            var body = OpenOk().Field("account", account.Username);
            return new CommandOutcome((seconds == 0 ? body.Null("until") : body.Field("until", DateTime.UtcNow + duration)).Close());
        }

        private static void SendToSessions(Account account, string text)
        {
            foreach (NetState state in NetState.Instances)
            {
                if (state.Account == account && state.Mobile != null)
                    state.Mobile.SendMessage(0x22, text);
            }
        }

        private static CommandOutcome Unban(Command call)
        {
            Account account = FindAccount(RequireText(call, "account", 64));

            if (Facts.IsStaff(account))
                throw new RefusalException(403, "PROTECTED");

            bool wasBanned = account.Banned;
            account.SetUnspecifiedBan(null); // removes the tags that name the banning staff member, the time and the duration
            account.Banned = false;

            if (wasBanned)
            {
                account.Comments.Add(new AccountComment("Guildhall", String.Format("Unbanned on the site by {0}", call.Username ?? "its staff")));
                States.ReportAudit(account, "unbanned", call.Username, null);
            }

            return new CommandOutcome(OpenOk().Field("account", account.Username).Field("wasBanned", wasBanned).Close());
        }

        private static CommandOutcome Broadcast(Command call)
        {
            string text = RequireText(call, "text", 256);
            int hue = (int)ReadInteger(call, "hue", 0, 3000, 0x35);
            int recipients = 0;

            foreach (NetState state in NetState.Instances)
                recipients += state.Mobile != null ? 1 : 0;

            World.Broadcast(hue, false, text);
            return new CommandOutcome(OpenOk().Field("recipients", recipients).Close());
        }

        // ---- town crier and pages

        private static CommandOutcome AddCrierEntry(Command call)
        {
            var lines = new List<string>();

            foreach (object line in call.Body.ListOf("lines") ?? new List<object>())
            {
                string text = line as string;

                if (String.IsNullOrEmpty(text) || text.Length > 128)
                    throw RefusalException.Invalid("lines", "must have 1 to 128 characters each");

                lines.Add(text);
            }

            if (lines.Count < 1 || lines.Count > 8)
                throw RefusalException.Invalid("lines", "must be a list of 1 to 8 lines");

            long seconds = ReadInteger(call, "durationSec", 60, 31536000, -1);

            if (seconds < 0)
                throw RefusalException.Invalid("durationSec", "is required");

            return States.AddCrierEntry(lines.ToArray(), (int)seconds);
        }

        private static CommandOutcome AnswerPage(Command call)
        {
            return States.AnswerPage(call.Params.TextOf("id"), RequireText(call, "message", 1024), call.Username, call.Body.FlagOf("close") ?? false);
        }
    }

    /// <summary>
    /// Finds the animation body of a type of creature: from a creature in the world, or else from a new one
    /// that is deleted at once.
    /// </summary>
    internal static class Bodies
    {
        private const int MaxTypes = 500;
        private const int MobilesPerStep = 500;
        private static readonly TimeSpan WorldReadInterval = TimeSpan.FromMinutes(10);

        private static readonly Dictionary<Type, int> m_BodyNumbers = new Dictionary<Type, int>(); // -1: none was found
        private static DateTime m_WorldReadAt;

        public static IEnumerable<CommandOutcome> Resolve(Command call)
        {
            List<object> types = call.Body.ListOf("types");

            if (types == null || types.Count < 1 || types.Count > MaxTypes)
                throw RefusalException.Invalid("types", "must be a list of 1 to " + MaxTypes + " types");

            if (DateTime.UtcNow - m_WorldReadAt > WorldReadInterval)
            {
                m_WorldReadAt = DateTime.UtcNow;
                var mobiles = new Mobile[World.Mobiles.Count];
                World.Mobiles.Values.CopyTo(mobiles, 0);

                for (int i = 0; i < mobiles.Length; i++)
                {
                    if (!mobiles[i].Deleted && !mobiles[i].IsBodyMod)
                        m_BodyNumbers[mobiles[i].GetType()] = mobiles[i].BodyValue;

                    if (i % MobilesPerStep == MobilesPerStep - 1)
                        yield return null;
                }
            }

            var body = new JsonWriter(4096).Open().OpenList("answers");

            foreach (object each in types)
            {
                string name = each as string;

                if (name == null || name.Length > 128)
                    throw RefusalException.Invalid("types", "must be texts of at most 128 characters");

                WriteAnswer(body, name);
                yield return null;
            }

            yield return new CommandOutcome(body.CloseList().Close());
        }

        private static void WriteAnswer(JsonWriter to, string name)
        {
            Type type = ScriptCompiler.FindTypeByName(name, true);
            string status = type == null ? "unknown" : typeof(Mobile).IsAssignableFrom(type) ? "ok" : "notCreature";
            int body = status == "ok" ? FindBody(type) : -1;

            if (status == "ok" && (body < 0 || body > 65535))
                status = "failed";

            to.Open().Field("type", name).Field("status", status).Field("body", status == "ok" ? (long?)body : null).Close();
        }

        private static int FindBody(Type type)
        {
            int body;

            if (m_BodyNumbers.TryGetValue(type, out body))
                return body;

            return m_BodyNumbers[type] = ReadFromNewMobile(type);
        }

        private static int ReadFromNewMobile(Type type)
        {
            ConstructorInfo constructor = type.IsAbstract || typeof(PlayerMobile).IsAssignableFrom(type) ? null : type.GetConstructor(Type.EmptyTypes);

            // The attribute marks constructors that staff may call. Others may need objects that do not exist.
            if (constructor == null || constructor.GetCustomAttributes(typeof(ConstructableAttribute), false).Length == 0)
                return -1;

            Mobile mobile = null;

            try
            {
                mobile = (Mobile)constructor.Invoke(null);
                return mobile.BodyValue;
            }
            catch (TargetInvocationException e)
            {
                Journal.Report("body of " + type.Name, e.InnerException ?? e);
                return -1;
            }
            finally
            {
                if (mobile != null)
                    mobile.Delete();
            }
        }
    }
}
