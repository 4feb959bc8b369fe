import type { Words } from "./words.ts";

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Die Texte der Konsole auf Deutsch. */
export const de: Words = {
  title: "Konsole",
  menu: "Seiten",
  skip: "Zur Seite springen",
  loading: "Wird geladen …",
  never: "nie",
  none: "Keine",
  yes: "ja",
  no: "nein",
  notFound: "Diese Seite gibt es nicht.",
  refused: "Ihre Rolle umfasst diese Seite nicht.",
  leaveQuestion: "Seite verlassen? Nicht gespeicherte Änderungen gehen verloren.",
  notStaff: (username) =>
    `Sie sind als ${username} angemeldet. Die Konsole ist für Administratoren, Redakteure und Moderatoren.`,
  roles: {
    admin: "Administrator",
    editor: "Redakteur",
    moderator: "Moderator",
    player: "Spieler",
  },
  pages: {
    home: "Übersicht",
    servers: "Spielserver",
    shardLink: "Verbindung zum Shard",
    newServer: "Survival-Server hinzufügen",
    server: "Survival-Server",
    account: "Ihr Konto",
  },
  actions: {
    back: "Zurück",
    cancel: "Abbrechen",
    close: "Schließen",
    copied: "Kopiert",
    copy: "Kopieren",
    reload: "Neu laden",
    save: "Speichern",
    signOut: "Abmelden",
    tryAgain: "Erneut versuchen",
    working: "Wird ausgeführt …",
  },
  signIn: {
    send: "Anmelden",
    continue: "Weiter",
    username: "Benutzername",
    password: "Passwort",
    secondFactor: "Zweiter Faktor",
    code: "Code Ihrer Authenticator-App oder ein Wiederherstellungscode",
    trust: "Diesem Browser vertrauen: den zweiten Faktor beim nächsten Mal überspringen",
    providers: "Weitere Anmeldemöglichkeiten",
    or: "Oder bei einem Anbieter anmelden:",
    at: (name) => `Mit ${name} anmelden`,
    again: "Erneut anmelden",
    againReason:
      "Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren. Ihre Eingaben sind noch da.",
  },
  confirm: {
    title: "Bestätigen Sie, dass Sie es sind",
    reason:
      "Ihre Anmeldung liegt für diese Änderung zu lange zurück. Deshalb fragt die Seite erneut.",
    password: "Ihr Passwort",
    passwordOrCode: "Ihr Passwort oder ein Code Ihrer Authenticator-App",
    send: "Bestätigen",
  },
  account: {
    secondFactor: "Zweiter Faktor",
    isOn: "Ihr zweiter Faktor ist eingeschaltet.",
    isOff: "Ihr zweiter Faktor ist ausgeschaltet. Schalten Sie ihn ein, um Ihr Konto zu schützen.",
    setUp: "Zweiten Faktor einrichten",
    scan: "Scannen Sie das Bild mit Ihrer Authenticator-App und geben Sie den angezeigten Code ein.",
    qrCode: "QR-Code für Ihre Authenticator-App",
    typeInstead: "Oder geben Sie dieses Geheimnis in der App ein:",
    firstCode: "Code der App",
    turnOn: "Einschalten",
    newCodes: "Wiederherstellungscodes ersetzen",
    codesHint:
      "Bewahren Sie diese Wiederherstellungscodes sicher auf. Jeder gilt einmal; sie werden nicht wieder angezeigt.",
    password: "Passwort",
    passwordHint: "Nach der Änderung enden Ihre anderen Sitzungen.",
    passwordChanged: "Ihr Passwort wurde geändert.",
    changePassword: "Passwort ändern",
    currentPassword: "Bisheriges Passwort",
    newPassword: "Neues Passwort",
  },
  gameServers: {
    shard: "Shard",
    survival: "Survival-Server",
    openShard: "Verbindung zum Shard öffnen",
    add: "Survival-Server hinzufügen",
    noServers: "Es wurde noch kein Survival-Server hinzugefügt.",
    back: "Alle Spielserver",
    serverNumber: (id) => `Survival-Server ${id}`,
    kinds: {
      plugin: "Plugin im Spiel",
      sidecar: "Sidecar auf dem Rechner des Spiels",
      status: "Statuspaket, ohne etwas zu installieren",
      webrcon: "Konsole des Spiels (WebRCON)",
    },
    kindHints: {
      plugin:
        "Das Plugin ruft die Seite auf. Der Spielserver braucht keinen offenen Port. Erzeugen Sie nach dem Speichern hier einen Schlüssel und geben Sie dessen Zeile auf dem Spielserver ein.",
      sidecar:
        "Die Seite verbindet sich mit einem Programm, das neben dem Spiel läuft. Der Rechner der Seite muss dessen Adressen erreichen.",
      status:
        "Die Seite fragt alle 15 Sekunden den Port ab, mit dem sich Spieler verbinden. Die Seite erfährt nur, ob das Spiel läuft und wie viele Clients verbunden sind, und kann keine Befehle senden.",
      webrcon:
        "Die Seite verbindet sich mit der Konsole des Spielservers, der kein Plugin braucht. Die Seite sieht Spieler, Chat und Tode und kann ankündigen, kicken und bannen. Für Ranglisten, Karten, Zonen und Kits verbinden Sie ein Plugin oder einen Sidecar.",
    },
    kind: "Art",
    link: "Verbindung",
    name: "Name",
    players: "Spieler",
    since: "Seit",
    reason: "Grund",
    lastEvent: "Letztes Ereignis",
    game: "Spiel",
    running: "läuft",
    notRunning: "läuft nicht",
    online: "Charaktere online",
    plugin: "Plugin",
    bridge: "Antwort des Spielservers",
    noAnswer: (reason) => `keine Antwort: ${reason}`,
    bridgeAnswer: (protocol, uptime, capabilities) =>
      `Protokoll ${protocol}, gestartet vor ${uptime}, ${capabilities} Funktionen`,
    events: "Ereignisse",
    eventCounts: (received, stored, rejected, gaps) =>
      `${received} empfangen, ${stored} gespeichert, ${rejected} abgelehnt, ${gaps} Lücken`,
    reader: "Prozess, der die Verbindung liest",
    world: "Welt",
    worldReady: "geladen",
    worldNotReady: "noch nicht geladen",
    framework: "Mod-Lader",
    rowsLeftOut: "Nicht gespeicherte Zeilen",
    linkCodes: "Codes für Steam-Verknüpfungen",
    help: "Was zu tun ist",
    advice: {
      off: "Die Verbindung ist ausgeschaltet. Schalten Sie sie im Formular unten ein.",
      noIngest:
        "Kein Ingest-Prozess liest die Verbindung. Starten Sie einen auf dem Rechner der Seite: npm start oder npm run ingest.",
      gameAway:
        "Der Sidecar antwortet, aber der Spielserver ist nicht mit ihm verbunden. Starten Sie den Spielserver.",
      sidecarRefuses:
        "Der Sidecar lehnt das Token oder die Version des Protokolls ab. Speichern Sie das Token erneut, oder wählen Sie die andere Version.",
      sidecarAway:
        "Starten Sie den Sidecar und sorgen Sie dafür, dass der Rechner der Seite ihn erreicht, oder korrigieren Sie unten die Adressen.",
      noKey:
        "Es gibt keinen Plugin-Schlüssel. Erzeugen Sie unten einen Schlüssel und geben Sie dessen Zeile auf dem Spielserver ein.",
      pluginRefused:
        "Die Seite kann mit diesem Plugin nicht arbeiten. Aktualisieren Sie das Programm, das der Grund nennt.",
      pluginNeverCalled:
        "Es hat noch kein Plugin die Seite aufgerufen. Kopieren Sie das Plugin auf den Spielserver, starten Sie das Spiel und geben Sie dort die Zeile des Schlüssels ein. Ohne die Zeile erzeugen Sie einen weiteren Schlüssel.",
      pluginSilent: (ago) =>
        `Letzter Aufruf des Plugins: ${ago}. Starten Sie den Spielserver und lesen Sie, was sein Plugin ausgibt.`,
      statusAway: "Starten Sie den Spielserver, oder korrigieren Sie unten den Host und den Port.",
      consoleRefuses:
        "Die Konsole lehnt das Passwort ab. Speichern Sie den Wert von rcon.password erneut. Wenn er stimmt, hat das Spiel die Adresse der Seite nach falschen Passwörtern gesperrt: Warten Sie fünfeinhalb Minuten, oder starten Sie den Spielserver neu.",
      consoleAway:
        "Starten Sie den Spielserver mit +rcon.web 1, sorgen Sie dafür, dass der Rechner der Seite rcon.port erreicht, oder korrigieren Sie unten Host, Port und TLS.",
      doctor: "Mehr zeigt npm run doctor auf dem Rechner der Seite.",
    },
    prints: {
      title: "Was das Plugin ausgibt und was zu tun ist",
      heads: ["Das Plugin gibt aus", "Was zu tun ist"],
      rows: [
        [
          "Not set up. Create a key on the site and type the line that the site shows.",
          "Erzeugen Sie unten einen Schlüssel und geben Sie dessen Zeile ein.",
        ],
        [
          "The site does not accept the key. …",
          "Erzeugen Sie unten einen neuen Schlüssel und geben Sie dessen Zeile ein.",
        ],
        [
          "The link is disabled on the site. …",
          "Schalten Sie die Verbindung im Formular unten ein.",
        ],
        [
          "The address is not the address of a Guildhall site: it answered 404. …",
          "Geben Sie die ganze Zeile ein, die die Seite anzeigt.",
        ],
        [
          "No answer from …",
          "Prüfen Sie Adresse und Zertifikat der Seite. Das Plugin versucht es von selbst erneut.",
        ],
        [
          "Another game server uses the same key and has taken over the link. …",
          "Erzeugen Sie für jeden Spielserver einen eigenen Schlüssel und starten Sie den Spielserver dieser Verbindung neu.",
        ],
      ],
    },
    live: "Live",
    liveHint: "Ereignisse erscheinen hier, sobald die Seite sie gespeichert hat.",
    waitingForFirst: "Warten auf das erste Ereignis …",
    firstArrived: (kind) => `Ein Ereignis ist angekommen: ${kind}.`,
    follows: "Die Seite folgt den Ereignissen.",
    doesNotFollow:
      "Die Seite folgt den Ereignissen zurzeit nicht. Sie versucht es von selbst erneut.",
    noEvents: "Noch kein Ereignis.",
    event: "Ereignis",
    time: "Zeit",
    test: "Verbindung testen",
    testWorks: "Die Verbindung funktioniert.",
    testFails: "Die Verbindung funktioniert nicht.",
    testLocked: "Adresse und Token stimmen. Ein anderer Client liest die Ereignisse.",
    testAdvice: {
      plugin: {
        SHARD_DOWN: "Das Plugin ruft die Seite nicht auf. Was zu tun ist, steht oben.",
        INCOMPLETE:
          "Erzeugen Sie unten einen Schlüssel und geben Sie dessen Zeile auf dem Spielserver ein.",
      },
      sidecar: {
        UNAUTHORIZED: "Speichern Sie das Token des Sidecars erneut.",
        PROTOCOL:
          "Aktualisieren Sie den Sidecar: Die Seite unterstützt seine Version des Protokolls nicht.",
        SHARD_DOWN: "Starten Sie den Sidecar, oder korrigieren Sie die Adressen oder die Firewall.",
        MALFORMED: "Das Programm an dieser Adresse ist kein Sidecar. Korrigieren Sie die Adressen.",
        INCOMPLETE: "Speichern Sie beide Adressen und das Token.",
      },
      webrcon: {
        AUTH: "Speichern Sie das Passwort erneut. Wenn es stimmt, warten Sie fünfeinhalb Minuten oder starten Sie den Spielserver neu: Das Spiel sperrt Adressen nach falschen Passwörtern.",
        SHARD_DOWN:
          "Prüfen Sie, ob der Spielserver mit +rcon.web 1 läuft, und korrigieren Sie Host, Port, TLS oder die Firewall. Solange das Spiel seine Karte erzeugt, warten Sie.",
        MALFORMED:
          "Das Programm an dieser Adresse ist keine WebRCON-Konsole. Der Port ist der Wert von rcon.port und nicht der Port der Spieler.",
        UNAUTHORIZED:
          "Die Seite kann das gespeicherte Passwort nicht lesen. Speichern Sie es erneut, oder geben Sie der Seite ihren früheren Schlüssel in SECRETS_KEYS zurück.",
        INCOMPLETE: "Speichern Sie den Host und das Passwort.",
      },
    },
    settings: "Einstellungen der Verbindung",
    enabled: "Verbindung einschalten",
    baseUrl: "Adresse für Aufrufe",
    baseUrlHint: "Eine http- oder https-Adresse, etwa https://shard.example.org:8443",
    wsUrl: "Adresse der Ereignisse",
    wsUrlHint: "Eine ws- oder wss-Adresse, etwa wss://shard.example.org:8443/v1/stream",
    token: "Token",
    tokenHint: "Das Token, mit dem der Sidecar gestartet wurde.",
    keepSecret: "Lassen Sie das Feld leer, um den gespeicherten Wert zu behalten.",
    protocol: "Version des Protokolls",
    statusHost: "Host",
    statusHostHint: "Der Host, mit dem sich Spieler verbinden, etwa play.example.org",
    statusPort: "Port",
    rconHost: "Host der Konsole",
    rconHostHint: "Ein Name oder eine IP-Adresse, etwa rust.example.org",
    rconPort: "Port der Konsole",
    rconPortHint: "Der Wert von rcon.port. Das ist nicht der Port der Spieler.",
    rconPassword: "Passwort der Konsole",
    rconPasswordHint: "Der Wert von rcon.password.",
    rconTls: "Die Konsole hat ein Zertifikat (TLS)",
    rconTlsHint: "Nur mit rcon.ssl und einem Zertifikat einer öffentlichen Stelle.",
    slug: "Kurzname in Adressen",
    slugHint:
      "Kleinbuchstaben, Ziffern und Bindestriche. Ohne Angabe bildet die Seite ihn aus dem Namen.",
    region: "Region",
    connect: "Adresse für Spieler",
    connectHint: "Host und Port, etwa play.example.org:28015",
    listed: "Den Server öffentlich zeigen",
    acceptsLinks: "Spieler können Steam-Konten mit Codes dieses Servers verknüpfen",
    acceptsLinksHint:
      "Nur für einen Server, den Sie selbst betreiben: Er kann jedes Steam-Konto verknüpfen. Ein nicht öffentlicher Server kann das nicht.",
    saved: "Gespeichert. Die Seite verbindet sich neu.",
    kindQuestion:
      "Bei einer anderen Art löscht die Seite die gespeicherten Adressen, das Token und das Passwort dieser Verbindung, und ihre Plugin-Schlüssel gelten nicht mehr.",
    changeKind: "Art ändern",
    overtaken: "Jemand anders hat dies geändert, seit Sie das Formular geöffnet haben.",
    overtakenHint:
      "Von Ihren Eingaben geht nichts verloren. Übernehmen Sie die gespeicherten Werte, oder behalten Sie Ihre und speichern Sie.",
    field: "Feld",
    before: "Beim Öffnen des Formulars",
    now: "Jetzt gespeichert",
    takeStored: "Gespeicherte Werte übernehmen",
    keepMine: "Meine behalten",
    key: "Plugin-Schlüssel",
    noKey: "Kein Schlüssel ist gültig.",
    keyCreated: "Erzeugt",
    keyUsed: "Zuletzt benutzt",
    createKey: "Schlüssel erzeugen",
    replaceKey: "Weiteren Schlüssel erzeugen",
    replaceHint:
      "Der bisherige Schlüssel gilt, bis das Plugin den neuen zum ersten Mal benutzt, höchstens aber 24 Stunden.",
    keyOnce:
      "Die Seite zeigt diesen Schlüssel nicht wieder an. Geben Sie diese Zeile jetzt auf dem Spielserver ein.",
    lineInServuo: "In ServUO, vom Besitzer im Spiel eingegeben",
    lineElsewhere: "In der Konsole eines anderen Spielservers",
    fileInServuo: "Oder in der Datei Config/Guildhall.cfg von ServUO",
    lineInConsole: "In der Konsole des Spielservers",
    hideKey: "Erledigt, Schlüssel ausblenden",
    revokeKey: "Schlüssel widerrufen",
    revokeQuestion:
      "Das Plugin kann die Seite nicht mehr aufrufen, und die Verbindung endet sofort. Um sie wiederherzustellen, erzeugen Sie einen Schlüssel und geben dessen Zeile ein.",
    keysRevoked: (count) =>
      count === 1 ? "Ein Schlüssel wurde widerrufen." : `${count} Schlüssel wurden widerrufen.`,
    reportKey: "Meldungen von Spielern",
    reportKeyHint:
      "Mit einem Meldeschlüssel sendet das Spiel Meldungen (F7) an die Seite, gleich welcher Art die Verbindung ist. Der Schlüssel öffnet sonst nichts.",
    noReportKey: "Es gibt keinen Meldeschlüssel.",
    reportOnce:
      "Die Seite zeigt diesen Schlüssel nicht wieder an. Geben Sie diese Zeilen jetzt in der Konsole des Spielservers ein.",
    createReportKey: "Meldeschlüssel erzeugen",
    replaceReportKey: "Meldeschlüssel ersetzen",
    replaceReportQuestion: "Der bisherige Schlüssel gilt ab sofort nicht mehr.",
    deleteReportKey: "Meldeschlüssel löschen",
    deleteReportQuestion:
      "Die Seite lehnt Meldungen ab, die das Spiel mit diesem Schlüssel sendet.",
    remove: "Diesen Server löschen",
    removeTitle: (name) => `${name} löschen`,
    removeHint:
      "Um seine Geschichte zu behalten, schalten Sie die Verbindung aus und zeigen den Server nicht öffentlich.",
    removeQuestion:
      "Der Server und seine Verbindung werden gelöscht. Das lässt sich nicht rückgängig machen.",
    purge: "Auch seine Welten, Ereignisse, Ranglisten und Clans löschen",
    removeNow: "Löschen",
    create: "Server hinzufügen",
    signupMode: "Woher neue Spielkonten kommen",
    signupModes: {
      disabled: "Nirgends: Niemand kann Spielkonten anlegen",
      website: "Nur von der Seite",
      hybrid: "Von der Seite und aus dem Spiel",
      game: "Nur aus dem Spiel",
    },
    signupHint: "Auf der Seite muss auch die Einstellung für Spielkonten eingeschaltet sein.",
    signupSaved: "Die Einstellung wurde geändert.",
    tools: "Werkzeuge des Shards",
    toolsNeedLink:
      "Diese Werkzeuge brauchen ein Plugin oder einen Sidecar, und die Verbindung muss eingeschaltet sein.",
    townCrier: "Stadtschreier",
    townCrierHint: "Die Stadtschreier im Spiel wiederholen die Zeilen, bis der Eintrag abläuft.",
    noEntries: "Kein Eintrag.",
    lines: "Zeilen",
    linesHint: "Höchstens 8 Zeilen mit höchstens 128 Zeichen.",
    expires: "Läuft ab",
    lasts: "Wie lange",
    units: { 60: "Minuten", 3600: "Stunden", 86400: "Tage" },
    unit: "Einheit",
    addEntry: "Eintrag hinzufügen",
    removeEntry: "Entfernen",
    removeEntryTitle: "Eintrag entfernen",
    removeEntryQuestion: (line) => `Die Stadtschreier wiederholen „${line}“ nicht mehr.`,
    rejected: "Abgelehnte Nachrichten",
    rejectedHint:
      "Nachrichten des Spiels, die eine Regel verletzt haben, die neuesten zuerst. Die Seite hat sie nicht als Ereignisse gespeichert.",
    noRejected: "Keine Nachricht wurde abgelehnt.",
    code: "Regel",
    detail: "Fehler",
    excerpt: "Anfang der Nachricht",
    more: "Mehr anzeigen",
  },
  linkStates: {
    connected: "verbunden",
    reconnecting: "nicht verbunden",
    disconnected: "ausgeschaltet",
    error: "abgelehnt",
  },
  home: {
    modes: {
      maintenance: "Wartung: Nur das Team kann die Seite benutzen.",
      closed: "Geschlossen: Nur Administratoren können die Seite benutzen.",
    },
    waiting: "Wartet auf jemanden",
    nothingWaits: "Nichts wartet auf Sie.",
    appeals: (count) => plural(count, "offener Einspruch", "offene Einsprüche"),
    reports: (count) => plural(count, "ungelesene Meldung", "ungelesene Meldungen"),
    helpPages: (count) => plural(count, "offener Hilferuf", "offene Hilferufe"),
    failedJobs: (count) => plural(count, "fehlgeschlagener Auftrag", "fehlgeschlagene Aufträge"),
    reviews: (count) => plural(count, "Import wartet auf Freigabe", "Importe warten auf Freigabe"),
    runs: (count) => plural(count, "angehaltener Event-Ablauf", "angehaltene Event-Abläufe"),
    shard: "Shard",
    link: "Verbindung",
    game: "Spiel",
    running: "läuft",
    notRunning: "läuft nicht",
    online: "Charaktere online",
    lastEvent: "Letztes Ereignis",
    servers: "Survival-Server",
    noServers: "Kein Survival-Server ist verbunden.",
    players: (players, most) => `${players} von ${most} Spielern`,
    queues: "Warteschlangen",
    openQueues: "Warteschlangen öffnen",
    waitingJobs: "Wartend",
    activeJobs: "Laufend",
    failed: "Fehlgeschlagen",
    oldest: "Längste Wartezeit",
    processes: "Prozesse",
    people: "Personen",
    total: "Konten",
    active7d: "In sieben Tagen aktiv",
    new7d: "In sieben Tagen neu",
  },
  problems: {
    noAnswer: "Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    pageNotLoaded:
      "Die Seite konnte nicht geladen werden. Vielleicht wurde der Dienst aktualisiert.",
    waitSeconds: (seconds) =>
      seconds === 1
        ? "Versuchen Sie es in einer Sekunde erneut."
        : `Versuchen Sie es in ${seconds} Sekunden erneut.`,
    requestId: (id) => `Anfrage ${id}`,
    advice: {
      stale_revision:
        "Jemand anders hat dies gespeichert, während Sie es bearbeitet haben. Vergleichen Sie die beiden Fassungen unten.",
      second_factor_required:
        "Die Seite verlangt vom Team einen zweiten Faktor. Richten Sie ihn auf der Seite Ihres Kontos ein.",
      role_required: "Ihre Rolle hat sich geändert. Fragen Sie einen Administrator.",
      shard_down:
        "Der Spielserver antwortet nicht. Prüfen Sie die Verbindung auf der Seite Spielserver.",
    },
  },
};
