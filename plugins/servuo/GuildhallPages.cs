// Guildhall plugin for ServUO: memory that is used again for events. No part of the game is touched here,
// and every member may be called from any thread.
using System;
using System.Collections.Generic;

namespace Guildhall
{
    /// <summary>A piece of memory for JSON in UTF-8. Its user fills it from the front.</summary>
    internal sealed class Page
    {
        public const int UsualSize = 64 * 1024;

        public readonly byte[] Bytes;
        public int Length;
        public int Users; // the buffer of events counts them, under its lock

        public Page(int size)
        {
            Bytes = new byte[size];
        }

        public int Room { get { return Bytes.Length - Length; } }

        public void Append(JsonWriter json)
        {
            Length += json.CopyBytes(Bytes, Length);
        }

        public void Append(char ascii)
        {
            Bytes[Length++] = (byte)ascii;
        }
    }

    /// <summary>
    /// Keeps pages that nobody uses, and gives them away again. New arrays of this size make the runtime
    /// collect its whole memory, which stops the game for tens of milliseconds.
    /// </summary>
    internal static class Pages
    {
        private const int MostKept = 96; // 6 MiB, as much as a snapshot of 20,000 things takes

        private static readonly Stack<Page> m_Unused = new Stack<Page>();

        /// <summary>Returns an empty page with room for so many bytes.</summary>
        public static Page Take(int bytes)
        {
            if (bytes > Page.UsualSize)
                return new Page(bytes);

            lock (m_Unused)
            {
                if (m_Unused.Count > 0)
                    return m_Unused.Pop();
            }

            return new Page(Page.UsualSize);
        }

        public static void Return(Page page)
        {
            if (page.Bytes.Length != Page.UsualSize)
                return;

            page.Length = 0;

            lock (m_Unused)
            {
                if (m_Unused.Count < MostKept)
                    m_Unused.Push(page);
            }
        }
    }
}
