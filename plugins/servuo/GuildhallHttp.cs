// Guildhall plugin for ServUO: HTTP calls to the site.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Security.Authentication;
using System.Text;

namespace Guildhall
{
    /// <summary>The address of the site, and the plugin's key. Immutable.</summary>
    internal sealed class SiteAddress
    {
        public readonly Uri Base;
        public readonly string Key;

        private SiteAddress(Uri address, string key)
        {
            Base = address;
            Key = key;
        }

        public string Host { get { return Base.IsDefaultPort ? Base.Host : Base.Host + ":" + Base.Port; } }

        public bool IsEncrypted { get { return Base.Scheme == Uri.UriSchemeHttps || Base.IsLoopback; } }

        /// <summary>
        /// Reads the owner's input; returns null and a sentence for the owner if it is invalid. Accepts a host name
        /// as the address, because a line in the game has at most 128 characters.
        /// </summary>
        public static SiteAddress Read(string url, string key, out string problem)
        {
            Uri address;
            url = (url ?? "").Trim().TrimEnd('/');
            key = (key ?? "").Trim();

            if (url.Length > 0 && url.IndexOf("://", StringComparison.Ordinal) < 0)
                url = "https://" + url;

            if (url.Length > 8 && url.IndexOf('/', 8) < 0)
                url += "/api/v1/plugin";

            if (!Uri.TryCreate(url, UriKind.Absolute, out address) || (address.Scheme != Uri.UriSchemeHttps && address.Scheme != Uri.UriSchemeHttp))
                problem = "The address must begin with https://. Copy the address that the site shows with the key.";
            else if (address.UserInfo.Length > 0 || address.Query.Length > 0 || address.Fragment.Length > 0)
                problem = "The address must not contain a user name, a question mark or a number sign.";
            else if (!IsValidKey(key))
                problem = "The key must begin with ghk_ and have 47 characters. Copy the whole key, which the site shows once.";
            else
            {
                problem = null;
                return new SiteAddress(address, key);
            }

            return null;
        }

        private static bool IsValidKey(string key)
        {
            if (key.Length != 47 || !key.StartsWith("ghk_", StringComparison.Ordinal))
                return false;

            for (int i = 4; i < key.Length; i++)
            {
                char c = key[i];

                if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '-' && c != '_')
                    return false;
            }

            return true;
        }

        public Uri MakeUri(string path)
        {
            return new Uri(Base.AbsoluteUri.TrimEnd('/') + path);
        }
    }

    internal sealed class SiteAnswer
    {
        public int Status;
        public Dictionary<string, object> Body; // null if it is not a JSON object
        public int RetryAfterSec;

        public string Code { get { return Body.TextOf("code") ?? ""; } }
    }

    /// <summary>The site did not answer. The message gives the owner the reason.</summary>
    internal sealed class NoAnswerException : Exception
    {
        public NoAnswerException(string message)
            : base(message)
        { }
    }

    internal static class SiteHttp
    {
        private const int MaxAnswerBytes = 4 * 1024 * 1024;

        // Mono can count a connection as idle while a call uses it, and closes it after this time. So the time must be
        // longer than each call. See github.com/mono/mono/issues/20999.
        private const int MaxIdleMs = 100000;

        /// <summary>Enables TLS 1.2 on hosts whose default lacks it.</summary>
        public static void EnableTls12()
        {
            const SecurityProtocolType tls12 = (SecurityProtocolType)3072;

            // 0 lets the operating system choose the versions; setting a flag would prevent that.
            if (ServicePointManager.SecurityProtocol != 0)
                ServicePointManager.SecurityProtocol |= tls12;
        }

        /// <exception cref="NoAnswerException">The site did not answer.</exception>
        public static SiteAnswer Call(SiteAddress site, string method, string path, byte[] body, int timeoutMs)
        {
            return Call(site, method, path, body, body == null ? 0 : body.Length, timeoutMs);
        }

        /// <exception cref="NoAnswerException">The site did not answer.</exception>
        public static SiteAnswer Call(SiteAddress site, string method, string path, byte[] body, int length, int timeoutMs)
        {
            try
            {
                HttpWebRequest request = MakeRequest(site, method, path, timeoutMs);

                if (body != null)
                {
                    request.ContentType = "application/json";
                    request.ContentLength = length;
                    request.AllowWriteStreamBuffering = false; // the runtime would copy the body

                    using (Stream stream = request.GetRequestStream())
                        stream.Write(body, 0, length);
                }

                using (var response = (HttpWebResponse)request.GetResponse())
                    return ReadAnswer(response);
            }
            catch (WebException e)
            {
                var refusal = e.Response as HttpWebResponse;

                if (refusal == null)
                    throw new NoAnswerException(Explain(e));

                using (refusal)
                    return ReadRefusal(refusal);
            }
            catch (IOException e)
            {
                throw new NoAnswerException("the connection broke (" + e.Message + ")");
            }
            catch (InvalidOperationException e)
            {
                throw new NoAnswerException("the call failed (" + e.Message + ")");
            }
            catch (NotSupportedException e)
            {
                throw new NoAnswerException("the call failed (" + e.Message + ")");
            }
        }

        private static HttpWebRequest MakeRequest(SiteAddress site, string method, string path, int timeoutMs)
        {
            var request = (HttpWebRequest)WebRequest.Create(site.MakeUri(path));
            request.Method = method;
            request.Headers[HttpRequestHeader.Authorization] = "Bearer " + site.Key;
            request.Accept = "application/json";
            request.UserAgent = "Guildhall-ServUO/" + Plugin.Version;
            request.Timeout = timeoutMs;
            request.ReadWriteTimeout = timeoutMs;
            request.AllowAutoRedirect = false; // never send the key to another address

            ServicePoint point = request.ServicePoint;
            point.ConnectionLimit = 8;
            point.Expect100Continue = false;
            point.UseNagleAlgorithm = false;
            point.MaxIdleTime = MaxIdleMs;
            return request;
        }

        private static SiteAnswer ReadRefusal(HttpWebResponse response)
        {
            try
            {
                return ReadAnswer(response);
            }
            catch (IOException e)
            {
                throw new NoAnswerException("the connection broke (" + e.Message + ")");
            }
            catch (WebException e)
            {
                throw new NoAnswerException(Explain(e));
            }
        }

        private static SiteAnswer ReadAnswer(HttpWebResponse response)
        {
            var answer = new SiteAnswer { Status = (int)response.StatusCode };
            int seconds;

            if (Int32.TryParse(response.Headers["Retry-After"] ?? "", NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
                answer.RetryAfterSec = Math.Min(seconds, 3600);

            using (Stream stream = response.GetResponseStream())
                answer.Body = JsonReader.ParseObject(ReadText(stream));

            return answer;
        }

        private static string ReadText(Stream stream)
        {
            if (stream == null)
                return "";

            var content = new MemoryStream();
            var chunk = new byte[16 * 1024];
            int read;

            while ((read = stream.Read(chunk, 0, chunk.Length)) > 0)
            {
                content.Write(chunk, 0, read);

                if (content.Length > MaxAnswerBytes)
                    throw new IOException("the answer is too long");
            }

            return Encoding.UTF8.GetString(content.GetBuffer(), 0, (int)content.Length);
        }

        private static string Explain(WebException e)
        {
            switch (e.Status)
            {
                case WebExceptionStatus.NameResolutionFailure:
                    return "this machine cannot resolve its name (check the address and the DNS of this machine)";
                case WebExceptionStatus.ConnectFailure:
                    return "this machine cannot connect to it (check that the site runs, and that no firewall blocks the connection)";
                case WebExceptionStatus.Timeout:
                    return "it did not answer in time";
                case WebExceptionStatus.TrustFailure:
                    return ExplainTrust();
                case WebExceptionStatus.SecureChannelFailure:
                    return e.InnerException is AuthenticationException || IsMono ? ExplainTrust() : "TLS failed (" + e.Message + ")";
                default:
                    return e.InnerException is AuthenticationException ? ExplainTrust() : "the connection failed (" + e.Message + ")";
            }
        }

        private static bool IsMono { get { return Type.GetType("Mono.Runtime") != null; } }

        private static string ExplainTrust()
        {
            return "this machine does not trust its certificate" + (IsMono ? " (install the package ca-certificates-mono, or run cert-sync)" : "");
        }
    }
}
