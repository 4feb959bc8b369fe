// The names and signatures of the Unity engine that the plugin uses, with the least behavior that the tests need.
using System;

namespace UnityEngine
{
    public enum LogType { Error, Assert, Warning, Log, Exception }

    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static float Distance(Vector3 a, Vector3 b)
        {
            float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            return (float)Math.Sqrt(x * x + y * y + z * z);
        }
    }

    public struct Color
    {
        public float r, g, b, a;
    }

    public static class ColorUtility
    {
        public static string ToHtmlStringRGB(Color color)
        {
            return ((int)(color.r * 255)).ToString("X2") + ((int)(color.g * 255)).ToString("X2") + ((int)(color.b * 255)).ToString("X2");
        }
    }

    public class Object
    {
        public string name { get; set; }
    }

    public class GameObject : Object
    {
        public BaseEntity Entity;
    }

    public class Component : Object
    {
        private readonly Transform m_Transform = new Transform();

        public Transform transform { get { return m_Transform; } }
    }

    public class MonoBehaviour : Component { }

    public class Transform
    {
        public Vector3 position { get; set; }
        public Vector3 eulerAngles { get; set; }
    }

    public static class Time
    {
        private static readonly System.Diagnostics.Stopwatch m_Watch = System.Diagnostics.Stopwatch.StartNew();

        public static float realtimeSinceStartup { get { return (float)m_Watch.Elapsed.TotalSeconds; } }
    }

    public static class Application
    {
        public delegate void LogCallback(string condition, string stackTrace, LogType type);

        public static event LogCallback logMessageReceived;

        public static void Log(string line)
        {
            LogCallback callback = logMessageReceived;

            if (callback != null)
                callback(line, "", LogType.Log);
        }
    }
}
