// A simulated game server for tests of the plugin. It reads one command per line from its input, calls the hooks that
// the game would call, and prints the texts that players and the console would see.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using Network;
using Oxide.Core;
using Oxide.Core.Libraries;
using Oxide.Core.Plugins;
using Oxide.Plugins;
using UnityEngine;

public static class Game
{
    private static readonly Queue<string> m_Lines = new Queue<string>();
    private static string m_Folder;
    private static Guildhall m_Plugin;
    private static ulong m_LastNetId = 1000;
    private static bool m_IsOver;

    public static void Main(string[] words)
    {
        m_Folder = words[0];
        Interface.Oxide.ConfigDirectory = Path.Combine(m_Folder, "config");
        Interface.Oxide.DataDirectory = Path.Combine(m_Folder, "data");
        Directory.CreateDirectory(Interface.Oxide.ConfigDirectory);
        Directory.CreateDirectory(Interface.Oxide.DataDirectory);
        SaveRestore.SaveCreatedTime = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMilliseconds(Int64.Parse(words[1], CultureInfo.InvariantCulture));
        Guildhall.MinuteMs = Double.Parse(words[2], CultureInfo.InvariantCulture);
        BasePlayer.Left = Leave;
        ConsoleSystem.Typed = Type;
        TerrainMeta.Path.Monuments.Add(MakeMonument("The Dome", "dome_monument_name", 620, -210));
        CSharpPlugin.SharedPermission.CreateGroup("default", "", 0);
        CSharpPlugin.SharedPermission.CreateGroup("admin", "", 0);
        new Thread(ReadLines) { IsBackground = true }.Start();
        LoadPlugin();
        Run();
    }

    private static MonumentInfo MakeMonument(string label, string name, float x, float z)
    {
        var monument = new MonumentInfo { displayPhrase = new Phrase { english = label }, shouldDisplayOnMap = true, name = name };
        monument.transform.position = new Vector3(x, 12, z);
        return monument;
    }

    private static void LoadPlugin()
    {
        m_Plugin = new Guildhall { Name = "Guildhall", Title = "Guildhall", Author = "Guildhall", Version = new VersionNumber(1, 0, 0), IsLoaded = true };
        m_Plugin.PrepareConfig(Path.Combine(Interface.Oxide.ConfigDirectory, "Guildhall.json"));
        Interface.Loaded.Add(m_Plugin);
        m_Plugin.Call("Init");
        m_Plugin.Call("OnServerInitialized");
    }

    private static void ReadLines()
    {
        string line;

        while ((line = Console.ReadLine()) != null)
        {
            lock (m_Lines)
                m_Lines.Enqueue(line);
        }

        m_IsOver = true;
    }

    private static void Run()
    {
        while (!m_IsOver)
        {
            string line;

            while ((line = TakeLine()) != null)
                Play(line);

            m_Plugin.Timers.Tick();
            Interface.Oxide.Tick();
            Thread.Sleep(10);
        }
    }

    private static string TakeLine()
    {
        lock (m_Lines)
            return m_Lines.Count == 0 ? null : m_Lines.Dequeue();
    }

    /// <summary>Executes a line: a verb and its arguments, separated by tabs.</summary>
    private static void Play(string line)
    {
        string[] words = line.Split('\t');

        try
        {
            Deed(words);
            Console.WriteLine("played " + words[0]);
        }
        catch (Exception e)
        {
            Console.WriteLine("error " + words[0] + ": " + (e.InnerException ?? e));
        }
    }

    private static void Deed(string[] words)
    {
        switch (words[0])
        {
            case "console": RunConsole(words[1]); break;
            case "say": RunChat(words[1], words[2]); break;
            case "join": Join(words[1], words[2]); break;
            case "leave": Leave(Find(words[1]), words[2]); break;
            case "chat": Interface.CallHook("OnPlayerChat", Find(words[1]), words[3], (ConVar.Chat.ChatChannel)Enum.Parse(typeof(ConVar.Chat.ChatChannel), words[2])); break;
            case "flood": Flood(words[1], Int32.Parse(words[2], CultureInfo.InvariantCulture)); break;
            case "kill": Kill(words[1], words[2], words[3], words[4] == "headshot"); break;
            case "killed-by": KilledBy(words[1], words[2]); break;
            case "npc": KillNpc(words[1], words[2]); break;
            case "respawn": Interface.CallHook("OnPlayerRespawned", Find(words[1])); break;
            case "gather": Gather(words[1], Int32.Parse(words[2], CultureInfo.InvariantCulture)); break;
            case "report": Interface.CallHook("OnPlayerReported", Find(words[1]), words[3], words[2], words[4], words[5], "cheat"); break;
            case "cupboard": Spawn(new BuildingPrivlidge { OwnerID = UInt64.Parse(words[1], CultureInfo.InvariantCulture), ShortPrefabName = "cupboard.tool.deployed" }, 790, -1190); break;
            case "spawn": Spawn(new BaseEntity { ShortPrefabName = words[1] }, 2100, -350); break;
            case "permission": Register(words[1]); break;
            case "grant": CSharpPlugin.SharedPermission.GrantUserPermission(words[1], words[2], null); break;
            case "group": CSharpPlugin.SharedPermission.CreateGroup(words[1], words[2], 0); break;
            case "mod": LoadMod(words[1]); break;
            case "unload": UnloadMod(words[1]); break;
            case "zone": Interface.CallHook(words[1] == "enter" ? "OnEnterZone" : "OnExitZone", words[2], Find(words[3])); break;
            case "log": Application.Log(words[1]); break;
            case "throw": m_Plugin.Call("OnPluginLoaded", new Mod()); break;
            case "reload-plugin": ReloadPlugin(); break;
            case "shutdown": m_Plugin.Call("OnServerShutdown"); m_Plugin.Call("Unload"); break;
            case "user": WriteUser(words[1]); break;
            case "groups": WriteGroups(); break;
            case "bans": WriteBans(); break;
            case "title": WriteTitle(words[1]); break;
            case "status": RunConsole("guildhall.status"); break;
            default: throw new ArgumentException("unknown verb");
        }
    }

    private static void RunConsole(string line)
    {
        string[] words = line.Split(' ');
        MethodInfo method = Methods().First(each => HasName(each.GetCustomAttributes(typeof(ConsoleCommandAttribute), true).OfType<ConsoleCommandAttribute>().Select(one => one.Command), words[0]));
        method.Invoke(m_Plugin, new object[] { new ConsoleSystem.Arg { Args = words.Skip(1).ToArray() } });
    }

    private static void RunChat(string id, string line)
    {
        string[] words = line.TrimStart('/').Split(' ');
        MethodInfo method = Methods().First(each => HasName(each.GetCustomAttributes(typeof(ChatCommandAttribute), true).OfType<ChatCommandAttribute>().Select(one => one.Command), words[0]));
        method.Invoke(m_Plugin, new object[] { Find(id), words[0], words.Skip(1).ToArray() });
    }

    private static bool HasName(IEnumerable<string> names, string name)
    {
        return names.Contains(name);
    }

    private static IEnumerable<MethodInfo> Methods()
    {
        return typeof(Guildhall).GetMethods(BindingFlags.Instance | BindingFlags.NonPublic);
    }

    private static BasePlayer Find(string id)
    {
        return BasePlayer.FindAwakeOrSleeping(id);
    }

    private static void Join(string id, string name)
    {
        var player = new BasePlayer { UserIDString = id, displayName = name, Connection = new Connection(), net = NextNet(), ShortPrefabName = "player" };
        player.transform.position = new Vector3(812.5f, 10, -1204);
        BasePlayer.activePlayerList.Add(player);
        CSharpPlugin.SharedPermission.GetUserData(id).LastSeenNickname = name;
        CSharpPlugin.SharedPermission.AddUserGroup(id, "default");
        Interface.CallHook("OnPlayerConnected", player);
    }

    private static void Leave(BasePlayer player, string reason)
    {
        BasePlayer.activePlayerList.Remove(player);
        Interface.CallHook("OnPlayerDisconnected", player, reason);
        player.Connection = null;
    }

    private static void Flood(string id, int count)
    {
        for (int i = 0; i < count; i++)
            Interface.CallHook("OnPlayerChat", Find(id), "line " + i.ToString(CultureInfo.InvariantCulture), ConVar.Chat.ChatChannel.Global);
    }

    private static void Register(string permission)
    {
        CSharpPlugin.SharedPermission.Registered.Add(permission);
        Interface.CallHook("OnPermissionRegistered", permission, null);
    }

    private static Networkable NextNet()
    {
        return new Networkable { ID = new NetworkableId { Value = ++m_LastNetId } };
    }

    private static AttackEntity Weapon(string name)
    {
        return new AttackEntity { Held = new Item { info = new ItemDefinition { shortname = name, category = ItemCategory.Weapon } } };
    }

    private static void Kill(string killer, string victim, string weapon, bool isHeadshot)
    {
        BasePlayer dead = Find(victim);
        dead.transform.position = new Vector3(Find(killer).transform.position.x + 82.5f, 10, -1204);
        var hit = new HitInfo { Initiator = Find(killer), Weapon = Weapon(weapon), isHeadshot = isHeadshot };
        Interface.CallHook("OnPlayerDeath", dead, hit);
        Interface.CallHook("OnEntityDeath", dead, hit);
    }

    private static void KilledBy(string victim, string prefab)
    {
        HitInfo hit = prefab == "none" ? null : new HitInfo { Initiator = new BaseEntity { ShortPrefabName = prefab } };
        Interface.CallHook("OnPlayerDeath", Find(victim), hit);
    }

    private static void KillNpc(string killer, string profile)
    {
        var npc = new BasePlayer { UserIDString = "4211", displayName = "Gregor", net = NextNet(), ShortPrefabName = "scientistnpc_full_any" };
        var hit = new HitInfo { Initiator = Find(killer), Weapon = Weapon("rifle.ak") };
        Interface.CallHook("OnEntityDeath", npc, hit);
        Interface.CallHook("OnBotReSpawnNPCKilled", npc, profile, "group", hit);
    }

    private static void Gather(string id, int amount)
    {
        var wood = new Item { info = new ItemDefinition { shortname = "wood" }, amount = amount };
        Interface.CallHook("OnDispenserGather", new ResourceDispenser { gatherType = ResourceDispenser.GatherType.Tree }, Find(id), wood);
    }

    private static void Spawn(BaseEntity entity, float x, float z)
    {
        entity.net = NextNet();
        entity.transform.position = new Vector3(x, 0, z);
        BaseNetworkable.serverEntities.Entities.Add(entity);
        Interface.CallHook("OnEntitySpawned", entity);
    }

    private static void ReloadPlugin()
    {
        m_Plugin.Call("Unload");
        Interface.Loaded.Remove(m_Plugin);
        LoadPlugin();
    }

    // ---- mods

    private static void LoadMod(string name)
    {
        Mod mod = Mod.Make(name);
        Interface.Loaded.Add(mod);
        Interface.CallHook("OnPluginLoaded", mod);
    }

    private static void UnloadMod(string name)
    {
        Plugin mod = Interface.Loaded.Find(each => each.Name == name);
        mod.IsLoaded = false;
        Interface.CallHook("OnPluginUnloaded", mod);
        Interface.Loaded.Remove(mod);
    }

    /// <summary>Handles the plugin's command that reloads a mod. The configuration can make the reload fail.</summary>
    private static void Type(string line)
    {
        Console.WriteLine("typed " + line);
        string name = line.Split(' ')[1];
        UnloadMod(name);
        string text = File.ReadAllText(Path.Combine(Interface.Oxide.ConfigDirectory, name + ".json"));

        if (text.Contains("broken"))
            Application.Log("Error while compiling " + name + ": " + name + ".cs(12,5): error CS1002: ; expected");
        else
            LoadMod(name);
    }

    // ---- queries of the tests

    private static void WriteUser(string id)
    {
        UserData user = CSharpPlugin.SharedPermission.GetUserData(id);
        Console.WriteLine("user " + id + ": " + String.Join(",", user.Perms.OrderBy(each => each)) + " | " + String.Join(",", user.Groups.OrderBy(each => each)));
    }

    private static void WriteGroups()
    {
        foreach (KeyValuePair<string, GroupData> group in CSharpPlugin.SharedPermission.Groups)
            Console.WriteLine("group " + group.Key + ": " + group.Value.Title + " | " + String.Join(",", group.Value.Perms.OrderBy(each => each)));
    }

    private static void WriteBans()
    {
        foreach (ServerUsers.User user in ServerUsers.GetAll(ServerUsers.UserGroup.Banned))
            Console.WriteLine("ban " + user.steamid + ": " + user.username + " | " + user.notes + " | " + (user.expiry < 0 ? "no end" : "with an end"));
    }

    private static void WriteTitle(string id)
    {
        var chat = (Mod)Interface.Loaded.Find(each => each.Name == "BetterChat");
        Console.WriteLine("title " + id + ": " + chat.TitleOf(id));
    }
}
