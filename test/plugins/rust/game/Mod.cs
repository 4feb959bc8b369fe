// Simulated mods, with the methods that the plugin calls.
using System;
using System.Collections.Generic;
using System.Linq;
using Oxide.Core;
using Oxide.Core.Libraries.Covalence;
using Oxide.Core.Plugins;

public class Mod : Plugin
{
    private readonly Dictionary<string, Func<object[], object>> m_Calls = new Dictionary<string, Func<object[], object>>();
    private Func<IPlayer, string> m_Titles;

    public static Mod Make(string name)
    {
        var mod = new Mod { Name = name, Title = name, Author = "somebody", Version = new VersionNumber(3, 1, 7), IsLoaded = true };

        switch (name)
        {
            case "Kits": mod.BeKits(); break;
            case "ZoneManager": mod.BeZoneManager(); break;
            case "BetterChat": mod.BeBetterChat(); break;
            case "Clans": mod.BeClans(); break;
        }

        return mod;
    }

    public override object Call(string hook, params object[] args)
    {
        Func<object[], object> call;
        return m_Calls.TryGetValue(hook, out call) ? call(args) : null;
    }

    private void BeKits()
    {
        m_Calls["IsKit"] = args => (string)args[0] == "starter";
        m_Calls["GiveKit"] = args =>
        {
            Console.WriteLine("kit " + ((BasePlayer)args[0]).UserIDString + ": " + args[1]);
            return true;
        };
    }

    private void BeZoneManager()
    {
        m_Calls["CreateOrUpdateZone"] = args =>
        {
            var at = (UnityEngine.Vector3)args[2];
            Console.WriteLine("zone " + args[0] + ": " + String.Join(" ", (string[])args[1]) + " @ " + at.x + " " + at.z);
            return true;
        };
        m_Calls["EraseZone"] = args =>
        {
            Console.WriteLine("no zone " + args[0]);
            return true;
        };
    }

    private void BeBetterChat()
    {
        m_Calls["API_RegisterThirdPartyTitle"] = args =>
        {
            m_Titles = (Func<IPlayer, string>)args[1];
            return null;
        };
    }

    private sealed class SomePlayer : IPlayer
    {
        public string Id { get; set; }
    }

    public string TitleOf(string id)
    {
        return m_Titles == null ? "" : m_Titles(new SomePlayer { Id = id });
    }

    private void BeClans()
    {
        // The mod returns objects whose ToString is JSON.
        m_Calls["GetAllClans"] = args => "[\"WLV\"]";
        m_Calls["GetClan"] = args => "{\"tag\":\"WLV\",\"owner\":\"76561198000000001\",\"description\":\"Wolves\",\"members\":[\"76561198000000001\",\"76561198000000002\"],\"moderators\":[]}";
    }
}
