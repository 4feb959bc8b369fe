// The names and signatures of the mod loaders Oxide and Carbon that the plugin uses, with the least behavior that
// the tests need. Carbon offers the same names to plugins.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using Oxide.Core;
using Oxide.Core.Libraries;
using Oxide.Core.Plugins;

namespace Oxide.Core
{
    public struct VersionNumber
    {
        public int Major, Minor, Patch;

        public VersionNumber(int major, int minor, int patch)
        {
            Major = major;
            Minor = minor;
            Patch = patch;
        }

        public override string ToString()
        {
            return Major + "." + Minor + "." + Patch;
        }
    }

    public class OxideMod
    {
#if !CARBON
        public static readonly VersionNumber Version = new VersionNumber(2, 0, 6511);
#endif

        private readonly Queue<Action> m_NextTick = new Queue<Action>();

        public string ConfigDirectory { get; set; }
        public string DataDirectory { get; set; }

        public void NextTick(Action callback)
        {
            lock (m_NextTick)
                m_NextTick.Enqueue(callback);
        }

        public void Tick()
        {
            for (; ; )
            {
                Action next;

                lock (m_NextTick)
                {
                    if (m_NextTick.Count == 0)
                        return;

                    next = m_NextTick.Dequeue();
                }

                next();
            }
        }
    }

    public static class Interface
    {
        private static readonly OxideMod m_Oxide = new OxideMod();

        public static OxideMod Oxide { get { return m_Oxide; } }

        /// <summary>The loaded plugins, whose hooks are called.</summary>
        public static readonly List<Plugin> Loaded = new List<Plugin>();

        public static object CallHook(string name, params object[] args)
        {
            object result = null;

            foreach (Plugin plugin in Loaded.ToArray())
                result = plugin.Call(name, args) ?? result;

            return result;
        }
    }
}

namespace Oxide.Core.Configuration
{
    /// <summary>A configuration with texts and flags, kept in a JSON file.</summary>
    public class DynamicConfigFile
    {
        private readonly Dictionary<string, object> m_Values = new Dictionary<string, object>();
        private readonly string m_Path;

        public DynamicConfigFile(string path)
        {
            m_Path = path;
        }

        public bool Exists { get { return File.Exists(m_Path); } }

        public object this[string name]
        {
            get
            {
                object value;
                return m_Values.TryGetValue(name, out value) ? value : null;
            }
            set { m_Values[name] = value; }
        }

        public void Save()
        {
            var rows = m_Values.Select(each => "  \"" + each.Key + "\": " + (each.Value is bool ? ((bool)each.Value ? "true" : "false") : "\"" + each.Value + "\""));
            Directory.CreateDirectory(Path.GetDirectoryName(m_Path));
            File.WriteAllText(m_Path, "{\n" + String.Join(",\n", rows.ToArray()) + "\n}\n");
        }

        public void Load()
        {
            foreach (string line in File.ReadAllLines(m_Path))
            {
                int colon = line.IndexOf("\": ", StringComparison.Ordinal);

                if (colon < 0)
                    continue;

                string value = line.Substring(colon + 3).TrimEnd(',');
                m_Values[line.Substring(3, colon - 3)] = value == "true" ? true : value == "false" ? (object)false : value.Trim('"');
            }
        }
    }
}

namespace Oxide.Core.Plugins
{
    public abstract class Plugin
    {
        public string Name { get; set; }
        public string Title { get; set; }
        public string Author { get; set; }
        public VersionNumber Version { get; set; }
        public bool IsLoaded { get; set; }
        public Configuration.DynamicConfigFile Config { get; set; }

        public virtual object Call(string hook, params object[] args)
        {
            foreach (MethodInfo method in GetType().GetMethods(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                if (method.Name != hook)
                    continue;

                int count = method.GetParameters().Length;
                object[] given = args.Length > count ? args.Take(count).ToArray() : args;
                return method.Invoke(this, given);
            }

            return null;
        }

        protected virtual void LoadDefaultConfig() { }

        protected virtual void SaveConfig()
        {
            Config.Save();
        }

        public void PrepareConfig(string path)
        {
            Config = new Configuration.DynamicConfigFile(path);

            if (Config.Exists)
                Config.Load();
            else
                LoadDefaultConfig();
        }
    }
}

namespace Oxide.Core.Libraries
{
    public class UserData
    {
        public string LastSeenNickname = "Unnamed";
        public HashSet<string> Perms = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        public HashSet<string> Groups = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
    }

    public class GroupData
    {
        public string Title = "", ParentGroup = "";
        public int Rank;
        public HashSet<string> Perms = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
    }

    public class Plugins
    {
        public Plugin Find(string name)
        {
            return Interface.Loaded.Find(plugin => plugin.Name == name);
        }

        public Plugin[] GetAll()
        {
            return Interface.Loaded.ToArray();
        }
    }

    public class Permission
    {
        public readonly HashSet<string> Registered = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        public readonly Dictionary<string, UserData> Users = new Dictionary<string, UserData>();
        public readonly Dictionary<string, GroupData> Groups = new Dictionary<string, GroupData>(StringComparer.OrdinalIgnoreCase);

        public string[] GetPermissions()
        {
            return Registered.ToArray();
        }

        public bool PermissionExists(string name, Plugin owner = null)
        {
            return Registered.Contains(name);
        }

        public bool UserExists(string id)
        {
            return Users.ContainsKey(id);
        }

        public UserData GetUserData(string id)
        {
            UserData user;

            if (!Users.TryGetValue(id, out user))
                Users[id] = user = new UserData();

            return user;
        }

        public void GrantUserPermission(string id, string name, Plugin owner)
        {
            if (PermissionExists(name) && GetUserData(id).Perms.Add(name))
                Interface.CallHook("OnUserPermissionGranted", id, name);
        }

        public void RevokeUserPermission(string id, string name)
        {
            if (GetUserData(id).Perms.Remove(name))
                Interface.CallHook("OnUserPermissionRevoked", id, name);
        }

        public void AddUserGroup(string id, string group)
        {
            if (GroupExists(group) && GetUserData(id).Groups.Add(group))
                Interface.CallHook("OnUserGroupAdded", id, group);
        }

        public void RemoveUserGroup(string id, string group)
        {
            if (GetUserData(id).Groups.Remove(group))
                Interface.CallHook("OnUserGroupRemoved", id, group);
        }

        public string[] GetGroups()
        {
            return Groups.Keys.ToArray();
        }

        public bool GroupExists(string group)
        {
            return Groups.ContainsKey(group);
        }

        public string GetGroupTitle(string group)
        {
            return Groups[group].Title;
        }

        public int GetGroupRank(string group)
        {
            return Groups[group].Rank;
        }

        public string GetGroupParent(string group)
        {
            return Groups[group].ParentGroup;
        }

        public string[] GetGroupPermissions(string group, bool parents = false)
        {
            return Groups[group].Perms.ToArray();
        }

        public bool CreateGroup(string group, string title, int rank)
        {
            if (GroupExists(group))
                return false;

            Groups[group] = new GroupData { Title = title, Rank = rank };
            Interface.CallHook("OnGroupCreated", group, title, rank);
            return true;
        }

        public bool RemoveGroup(string group)
        {
            if (!Groups.Remove(group))
                return false;

            foreach (UserData user in Users.Values)
                user.Groups.Remove(group);

            Interface.CallHook("OnGroupDeleted", group);
            return true;
        }

        public bool SetGroupTitle(string group, string title)
        {
            Groups[group].Title = title;
            return true;
        }

        public bool SetGroupRank(string group, int rank)
        {
            Groups[group].Rank = rank;
            return true;
        }

        public bool SetGroupParent(string group, string parent)
        {
            if (parent.Length > 0 && !GroupExists(parent))
                return false;

            Groups[group].ParentGroup = parent;
            Interface.CallHook("OnGroupParentSet", group, parent);
            return true;
        }

        public void GrantGroupPermission(string group, string name, Plugin owner)
        {
            if (PermissionExists(name) && Groups[group].Perms.Add(name))
                Interface.CallHook("OnGroupPermissionGranted", group, name);
        }

        public void RevokeGroupPermission(string group, string name)
        {
            if (Groups[group].Perms.Remove(name))
                Interface.CallHook("OnGroupPermissionRevoked", group, name);
        }

        public string[] GetUsersInGroup(string group)
        {
            return Users.Where(each => each.Value.Groups.Contains(group)).Select(each => each.Key + "(" + each.Value.LastSeenNickname + ")").ToArray();
        }

        public string[] GetPermissionUsers(string name)
        {
            return Users.Where(each => each.Value.Perms.Contains(name)).Select(each => each.Key + "(" + each.Value.LastSeenNickname + ")").ToArray();
        }
    }
}

namespace Oxide.Core.Libraries.Covalence
{
    public interface IPlayer
    {
        string Id { get; }
    }
}

namespace Oxide.Plugins
{
    [AttributeUsage(AttributeTargets.Class)]
    public class InfoAttribute : Attribute
    {
        public InfoAttribute(string title, string author, string version) { }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public class DescriptionAttribute : Attribute
    {
        public DescriptionAttribute(string description) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class ConsoleCommandAttribute : Attribute
    {
        public string Command { get; private set; }

        public ConsoleCommandAttribute(string command)
        {
            Command = command;
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class ChatCommandAttribute : Attribute
    {
        public string Command { get; private set; }

        public ChatCommandAttribute(string command)
        {
            Command = command;
        }
    }

    public class Timer
    {
        public DateTime NextAt;
        public TimeSpan Interval;
        public Action Callback;
    }

    public class PluginTimers
    {
        public readonly List<Timer> Timers = new List<Timer>();

        public Timer Every(float interval, Action callback)
        {
            var timer = new Timer { Interval = TimeSpan.FromSeconds(interval), NextAt = DateTime.UtcNow.AddSeconds(interval), Callback = callback };
            Timers.Add(timer);
            return timer;
        }

        public void Tick()
        {
            foreach (Timer timer in Timers.ToArray())
            {
                if (DateTime.UtcNow < timer.NextAt)
                    continue;

                timer.NextAt = DateTime.UtcNow + timer.Interval;
                timer.Callback();
            }
        }
    }

    public abstract class CSharpPlugin : Plugin
    {
        public static readonly Permission SharedPermission = new Permission();

        protected Core.Libraries.Plugins plugins = new Core.Libraries.Plugins();
        protected Permission permission = SharedPermission;
        protected PluginTimers timer = new PluginTimers();

        public PluginTimers Timers { get { return timer; } }

        protected void Puts(string format, params object[] args)
        {
            Console.WriteLine("console: [" + Name + "] " + (args.Length == 0 ? format : String.Format(CultureInfo.InvariantCulture, format, args)));
        }

        protected void PrintWarning(string format, params object[] args)
        {
            Puts("warning: " + format, args);
        }

        protected void NextTick(Action callback)
        {
            Interface.Oxide.NextTick(callback);
        }
    }

    public abstract class RustPlugin : CSharpPlugin { }
}
