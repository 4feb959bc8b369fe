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
    account: "Ihr Konto",
  },
  actions: {
    back: "Zurück",
    cancel: "Abbrechen",
    close: "Schließen",
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
