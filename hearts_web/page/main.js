// Where the page begins: which of its views is shown, and what is kept between them.

import { isOfDay } from './client/days.js';
import { Aborted } from './client/errors.js';
import { KIND, LATER } from './client/messages.js';
import { LinkedHost } from './client/linked_host.js';
import { newSeat } from './client/session.js';
import { announced } from './app/announcing.js';
import { bestChoice } from './app/best_choice.js';
import { Caller, titleOf } from './app/calling.js';
import { readConfig } from './app/config.js';
import { TableSession } from './app/table_session.js';
import { inWords, isPasswordWrong } from './app/faults.js';
import { rememberPlace } from './app/flights.js';
import { keepInvited, takeInvitation } from './app/invitation.js';
import { KeptSeat, fromGamesStart } from './app/kept_seat.js';
import { showMarks } from './app/names.js';
import { openLesson } from './app/lesson_session.js';
import { applyOptions, keepOptions, readOptions } from './app/options.js';
import { keepDay } from './app/own_days.js';
import { keepGame } from './app/own_games.js';
import { keepLastHand, lookThrough } from './app/own_mistakes.js';
import { OwnName } from './app/own_name.js';
import { keepShell } from './app/shell.js';
import { language, texts } from './texts.js';
import { html, render, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';
import { AskInDialog, DevicesDialog } from './views/devices.js';
import { ChatDialog, Hint, Host, LastTrick, Leave, Menu, Rules, Scores } from './views/dialogs.js';
import { Fairness } from './views/fairness.js';
import { HandOfLink } from './views/hand_link.js';
import { Lesson } from './views/lesson.js';
import { Announcer, LiveRegion } from './views/live_region.js';
import { OptionsDialog } from './views/options_dialog.js';
import { ClaimDialog, OwnNameDialog, RestoreDialog } from './views/own_name.js';
import { Mistakes } from './views/mistakes.js';
import { Replay } from './views/replay_dialog.js';
import { Standings } from './views/standings.js';
import { Start } from './views/start.js';
import { Statistics } from './views/statistics.js';
import { Table } from './views/table.js';
import { Teaching } from './views/teaching.js';
import { Waiting } from './views/waiting.js';

/** @typedef {import('./client/session.js').Seat} Seat */
/** @typedef {import('./app/options.js').Options} Options */

const fresh = () => newSeat((bytes) => crypto.getRandomValues(bytes));

const KEYS = /** @type {Record<string, string>} */ ({ c: 'chat', s: 'scores', l: 'last', h: 'hint', o: 'options', r: 'teaching' });

/** The entry of the history that stands above the page while there is something that "back" closes or asks for. */
const HELD = 'held';

// Before the first request, so that nobody else is told what is in the address.
const invitation = takeInvitation();
const announcer = new Announcer();
const keptSeat = new KeptSeat();
const config = readConfig();
/** Where nobody says that there is no chat, it is tried. */
const hasChat = config.then(({ chat }) => chat).catch(() => true);
let options = readOptions();
const caller = new Caller(() => options);
const ownName = new OwnName();
/** Whether the server lets names be claimed; a name that was claimed is never proved to nobody in silence. */
let hasNames = ownName.name !== '';
// A password that is remembered was right.
options.password ||= invitation.words;
/** Whether the server asks for a password, as far as we know; null while its configuration is read. */
let asksPassword = /** @type {boolean | null} */ (null);

/** @type {TableSession | null} */
let session = null;
/** The guided first hand, if it is played; a session goes on behind it. @type {import('./app/lesson_session.js').LessonSession | null} */
let lesson = null;
let draw = () => {};

/**
 * Plays at a table to the end of the session; why it ended, in words.
 * @param {{table?: string, wishes?: import('./client/registration.js').Wishes | null, watch?: number | null, isInvitable?: boolean, host?: (listener: import('./client/session.js').Listener) => import('./app/table_session.js').Host, over?: () => void, dayOver?: () => void}} where
 * @param {Seat} seat
 * @param {string} name
 */
async function play({ table = '', wishes = null, watch = null, isInvitable = false, host, over = () => {}, dayOver = () => {} }, seat, name) {
  const own = new TableSession({
    wanted: {
      name: name.trim() || '?',
      password: options.password,
      table,
      wishes,
      watch,
      // Nobody cuts the deals of a day.
      cuts: !isOfDay(table || seat.table),
      kind: KIND.person,
      proveName: (registration, called, dialect) => ownName.prove(registration, called, dialect),
      tellOfTable: true,
    },
    seat,
    options: () => options,
    isInvitable,
    hasChat: host === undefined ? hasChat : Promise.resolve(false),
    host,
    changed: () => draw(),
    told(message, picture) {
      announcer.tell(announced(message, picture, options.announce));
      caller.tell(message, picture);
      if (message.is === 'cardPlayed' && message.player === picture.me) rememberPlace(message.card);
      if (host !== undefined && message.is === 'againDecided') own.leave();
      else if (message.is === 'againDecided' && !message.yes) keptSeat.forget();
      if (message.is === 'abortGame' && message.later === 0 && picture.day && session === own) {
        session = null;
        dayOver();
      }
    },
    keep(now) {
      if (watch === null && host === undefined) keptSeat.keep(now, name);
    },
  });
  session = own;
  draw();
  await own.run();
  if (host === undefined) keptSeat.forget();
  // What is still to be shown of a day comes before its end.
  const isDayOver = own.picture.day !== '' && own.problem instanceof Aborted;
  const why = isDayOver ? '' : inWords(own.problem);
  if (isPasswordWrong(own.problem)) {
    options = { ...options, password: '' };
    keepOptions(options);
    asksPassword = true;
  }
  // The result of a game that is over stays until the player leaves it.
  if (session === own && own.picture.winners === 0 && !isDayOver) {
    session = null;
    over();
  }
  draw();
  return why;
}

function App() {
  const [, count] = useState(0);
  const [dialog, open] = useState(invitation.hand === '' ? '' : 'linked');
  const [linkedHand, setLinkedHand] = useState(invitation.hand);
  const [problem, setProblem] = useState('');
  const [isReady, setReady] = useState(false);
  const [invited, setInvited] = useState(invitation.table);
  const [kept, setKept] = useState(/** @type {import('./app/kept_seat.js').Kept | null} */ (null));
  const [draft, setDraft] = useState(/** @type {import('./views/start.js').Draft | null} */ (null));
  draw = () => count((now) => now + 1);

  const set = (/** @type {Partial<Options>} */ some) => {
    options = { ...options, ...some };
    keepOptions(options);
    // The page is read anew in another language; it comes back to its seat.
    if (some.language !== undefined) location.reload();
    applyOptions(options);
    draw();
  };
  const leaveLesson = () => {
    lesson?.leave();
    lesson = null;
    draw();
  };
  const teach = async () => {
    const begun = await openLesson(options.name.trim() || texts.you, () => draw());
    lesson = begun;
    setProblem(begun === null ? texts.lesson.failed : '');
    open('');
    await begun?.run();
    if (begun !== null && lesson === begun) leaveLesson();
  };
  const toStart = () => {
    if (session?.isWatching) session.leave();
    session = null;
    open('');
    draw();
  };
  const uninvite = () => {
    keepInvited('');
    setInvited('');
  };
  const go = async (/** @type {Parameters<typeof play>[0]} */ where) => {
    setProblem('');
    setKept(null);
    open('');
    const why = await play({ ...where, dayOver: () => open('day') }, fresh(), options.name);
    setProblem(why);
    // What was refused can be mended in its form.
    if (why === '') setDraft(null);
  };

  /** Plays the hand of a link on; there is no server in it. @type {import('./views/hand_link.js').Take} */
  const take = (linked, me, count) => {
    const seat = fresh();
    const name = options.name.trim() || texts.you;
    setDraft(null);
    open('');
    void play({ host: (listener) => new LinkedHost({ linked, me, name, count, network: bestChoice(), seat, listener }), over: () => open('linked') }, seat, name);
  };

  const comeBack = async (/** @type {import('./app/kept_seat.js').Kept} */ found) => {
    setKept(null);
    keptSeat.take(found);
    setProblem(await play({ dayOver: () => open('day') }, fromGamesStart(found.seat), found.name));
  };

  useEffect(() => {
    void keptSeat.find().then(async (found) => {
      setReady(true);
      // Whoever opens a link to another table is asked.
      if (invitation.isOpened && invitation.table !== found?.seat.table) setKept(found);
      else if (found !== null) await comeBack(found);
    });
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
      if (!options.keys || isTyping || event.ctrlKey || event.metaKey || event.altKey || session === null) return;
      if (event.key.toLowerCase() === 'u') session.takeBack(event.shiftKey);
      const wanted = KEYS[event.key.toLowerCase()];
      if (wanted !== undefined && (wanted !== 'hint' || session.picture.day === '')) open(wanted);
    };
    // A link that is opened in a tab that has the page already.
    const onLink = () => {
      const { table, words, hand } = takeInvitation();
      if (hand !== '') {
        setLinkedHand(hand);
        open('linked');
      }
      if (words !== '' && options.password === '') set({ password: words });
      setInvited(table);
    };
    document.addEventListener('keydown', onKey);
    window.addEventListener('hashchange', onLink);
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('hashchange', onLink);
    };
  }, []);

  useEffect(() => void (dialog === 'lesson' && teach()), [dialog]);
  const now = session;
  // Behind a hand of a link its dialog comes again, at once.
  const isHeld = dialog !== '' || lesson !== null || now?.isOver === false || (now?.isLinked === true && now.picture.winners === 0);
  const wasHeld = useRef(false);
  useLayoutEffect(() => {
    if (isHeld && history.state !== HELD) history.pushState(HELD, '');
    if (!isHeld && wasHeld.current && history.state === HELD) history.back();
    wasHeld.current = isHeld;
  }, [isHeld]);
  useEffect(() => {
    const onBack = () => {
      if (history.state === HELD || !isHeld) return;
      if (dialog !== '') open('');
      else if (lesson !== null) leaveLesson();
      else if (now?.isWatching) toStart();
      else open('leave');
      if (now?.isOver === false && !now.isWatching) history.pushState(HELD, '');
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, [isHeld, dialog, now]);
  useEffect(() => {
    document.title = titleOf(now?.isOver === false ? now.picture : null, now?.sent ?? []);
  });
  const { winners = 0, game = 0 } = now?.picture ?? {};
  useEffect(() => {
    if (winners !== 0 && now?.isLinked === false) keepGame(now.picture);
  }, [winners, game]);
  useEffect(() => {
    if (now !== null && now.picture.day !== '') keepDay(now.picture);
    else if (now?.isLinked === false) keepLastHand(now.picture);
  }, [now?.picture.played.length]);
  const isIdle = now === null && lesson === null;
  const isOwnAtStart = isReady && isIdle && kept === null && !ownName.isGuest && ownName.isOwn(options.name);
  useEffect(() => {
    if (!isOwnAtStart) return;
    let isWanted = true;
    void ownName.seats(options.password).then((seats) => {
      const told = seats.find((each) => !keptSeat.has(each));
      if (isWanted && told !== undefined) setKept({ id: '', name: ownName.name, at: Date.now(), seat: { ...fresh(), ...told } });
    }).catch(() => draw()); // What speaks against the server is shown below the name.
    return () => void (isWanted = false);
  }, [isOwnAtStart]);
  // Nothing is looked through beside play.
  useEffect(() => {
    let isWanted = isIdle;
    void lookThrough(() => isWanted, draw);
    return () => void (isWanted = false);
  }, [isIdle]);

  const onClose = () => open('');
  const props = { session: now, options, onClose, open, toStart };
  return html`<${LiveRegion} announcer=${announcer} pause=${options.announcePause} />
    ${lesson !== null
      ? html`<${Lesson} session=${lesson} options=${options} toStart=${leaveLesson} />`
      : now !== null
      ? now.picture.gameNumber > 0
        ? html`<${Table} session=${now} options=${options} open=${open} toStart=${toStart} />`
        : html`<${Waiting} session=${now} options=${options} open=${open} />`
      : isReady && asksPassword !== null
        ? html`<${Start} options=${options} set=${set} play=${go} open=${open} isDay=${dialog === 'day'} invited=${invited} uninvite=${uninvite} comeBack=${kept === null ? null : () => comeBack(kept)} problem=${problem} draft=${draft} setDraft=${setDraft} own=${hasNames ? ownName : null} changed=${draw} isAsked=${asksPassword} setAsked=${() => { asksPassword = true; draw(); }} />`
        : html`<p class="loading" role="status">${texts.start.loading}</p>`}
    ${dialog === 'options' && html`<${OptionsDialog} options=${options} set=${set} onClose=${onClose} />`}
    ${dialog === 'claim' && html`<${ClaimDialog} own=${ownName} options=${options} onClose=${onClose} />`}
    ${dialog === 'own name' && html`<${OwnNameDialog} own=${ownName} options=${options} onClose=${onClose} />`}
    ${dialog === 'askIn' && html`<${AskInDialog} own=${ownName} options=${options} onClose=${onClose} />`}
    ${dialog === 'devices' && html`<${DevicesDialog} own=${ownName} options=${options} onClose=${onClose} />`}
    ${dialog === 'restore' && html`<${RestoreDialog} own=${ownName} options=${options} set=${set} onClose=${onClose} />`}
    ${dialog === 'teaching' && html`<${Teaching} picture=${now?.picture ?? null} onClose=${onClose} />`}
    ${dialog === 'standings' && html`<${Standings} password=${options.password} onClose=${onClose} />`}
    ${dialog === 'statistics' && html`<${Statistics} onClose=${onClose} />`}
    ${dialog === 'mistakes' && html`<${Mistakes} onClose=${onClose} />`}
    ${dialog === 'linked' && html`<${HandOfLink} key=${linkedHand} value=${linkedHand} onClose=${onClose} take=${now === null || now.isOver ? take : null} />`}
    ${now !== null && html`
      ${dialog === 'menu' && html`<${Menu} ...${props} />`}
      ${dialog === 'scores' && html`<${Scores} ...${props} />`}
      ${dialog === 'chat' && html`<${ChatDialog} ...${props} />`}
      ${dialog === 'last' && html`<${LastTrick} ...${props} />`}
      ${dialog === 'hint' && html`<${Hint} ...${props} />`}
      ${dialog === 'rules' && html`<${Rules} ...${props} />`}
      ${dialog === 'host' && html`<${Host} ...${props} />`}
      ${dialog === 'leave' && html`<${Leave} ...${props} />`}
      ${dialog === 'fair' && html`<${Fairness} picture=${now.picture} onClose=${onClose} />`}
      ${dialog === 'replay' && html`<${Replay} picture=${now.picture} onClose=${onClose} />`}`}`;
}

document.documentElement.lang = language;
applyOptions(options);
keepOptions(options);
void keepShell(config);
const page = /** @type {HTMLElement} */ (document.getElementById('page'));
page.replaceChildren();
render(html`<${App} />`, page);
void config.catch(() => null).then((told) => {
  asksPassword ??= told?.password === true;
  hasNames ||= told?.names === true;
  showMarks(hasNames);
  draw();
});
