// The first page: who one is, and where one plays.

import { askTable, listTables } from '../client/asking.js';
import { byteLength } from '../client/bytes.js';
import { Lost } from '../client/errors.js';
import { NO_CLOCK_ALONE } from '../client/registration.js';
import { friendsName, secretName } from '../client/table_names.js';
import { opener } from '../app/table_session.js';
import { inWords } from '../app/faults.js';
import { isLessonKnown } from '../app/lesson_session.js';
import { allCalled, called } from '../app/names.js';
import { ownGames } from '../app/own_games.js';
import { dueToday } from '../app/own_mistakes.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { LevelChoice } from './level_choice.js';
import { Day } from './day.js';
import { OwnNamePanel } from './own_name.js';
import { Choice, Field } from './parts.js';
import { usePassword } from './password.js';
import { RulesForm, RulesInWords } from './rules_form.js';

/** @typedef {import('../app/options.js').Options} Options */
/** @typedef {import('../client/registration.js').Wishes} Wishes */
/** @typedef {{table?: string, wishes?: Wishes | null, watch?: number | null, isInvitable?: boolean}} Where */

/**
 * @typedef {object} StartProps
 * @property {Options} options
 * @property {(some: Partial<Options>) => void} set
 * @property {(where: Where) => void} play
 * @property {(dialog: string) => void} open
 * @property {boolean} isDay whether the deal of the day is open
 * @property {string} invited the name of a table that a link has led to; empty: none
 * @property {() => void} uninvite
 * @property {(() => void) | null} comeBack to the seat that is kept, where a link was opened, or that the own name has; null: there is none
 * @property {string} problem why the last table was left
 * @property {boolean} isAsked whether the server asks for a password, as far as we know
 * @property {() => void} setAsked
 * @property {import('../app/own_name.js').OwnName | null} own null: the server lets no names be claimed
 * @property {() => void} changed
 * @property {Draft | null} draft the form of a table, as it is filled in; null: it is closed
 * @property {(draft: Draft | null) => void} setDraft
 */

/** @typedef {{table: string, rules: import('../client/rules.js').Rules | null, endScore: string, turnLimit: string, computers: string, level: number}} Draft */

const LONGEST_NAME = 30;
/** What is wished for a table that we may be the first at. @type {Wishes} */
const UNCLOCKED = { computers: 0, endScore: 0, turnLimit: NO_CLOCK_ALONE };
const LOOK_AGAIN = 4000;
const LOOK_ANEW = 10_000;

/** @param {string} name */
const isName = (name) => name.trim() !== '' && byteLength(name.trim()) <= LONGEST_NAME;

/**
 * Asks the server, again and again while it cannot be reached.
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => void} told
 * @param {(error: unknown) => void} failed
 * @param {boolean} [isForEver] whether it is asked anew while the page is looked at
 */
function asking(ask, told, failed, isForEver = false) {
  let isOver = false;
  let timer = 0;
  const go = () =>
    ask().then(
      (answer) => {
        if (isOver) return;
        told(answer);
        if (isForEver) timer = window.setTimeout(again, LOOK_ANEW);
      },
      (error) => {
        if (isOver) return;
        failed(error);
        if (error instanceof Lost) timer = window.setTimeout(go, LOOK_AGAIN);
      },
    );
  const again = () => {
    if (document.hidden) timer = window.setTimeout(again, LOOK_ANEW);
    else void go();
  };
  void go();
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** @param {StartProps} props */
export function Start(props) {
  const { options, set, play, open, isDay, invited, comeBack, problem, draft, setDraft, own, changed } = props;
  const password = usePassword(props);
  const [isNew] = useState(() => ownGames().length === 0 && !isLessonKnown());
  const due = dueToday().length;
  const [needsName, setNeedsName] = useState(false);
  const [levels, setLevels] = useState(1);
  const [greeting, setGreeting] = useState(/** @type {string[]} */ ([]));
  const level = (levels >> options.level) & 1 ? options.level : 0;
  const go = async (/** @type {Where} */ where) => {
    if (options.name.trim() === '') set({ name: texts.start.guest(100 + Math.floor(900 * Math.random())) });
    else if (!isName(options.name)) {
      setNeedsName(true);
      document.querySelector('input')?.focus();
      return;
    }
    if (!password.isNeeded || (await password.enter())) play(where);
  };
  const askDay = async () => {
    if (!password.isNeeded || (await password.enter())) open('day');
  };
  const solo = () => go({ table: secretName('solo'), wishes: { computers: 3, endScore: 0, turnLimit: NO_CLOCK_ALONE, level } });
  return html`<main class="start">
    <header class="hero">
      <div class="hero-cards" aria-hidden="true">${[1, 12, 51, 40].map((card) => html`<div class="card"><${Face} card=${card} /></div>`)}</div>
      <h1>${texts.title}</h1>
      ${greeting.length === 0
        ? html`<p class="quiet">${texts.start.lead}</p>`
        : greeting.map((line, at) => line !== '' && html`<p>${at === 0 ? html`<b>${line}</b>` : line}</p>`)}
    </header>
    <div class="card-panel stack start-panel">
      ${problem !== '' && own?.doubt == null && html`<p class="problem" role="alert">${problem}</p>`}
      <${Field} label=${texts.start.name} value=${options.name} maxlength="30" autocomplete="nickname" id="name"
        placeholder=${texts.start.namePlaceholder} aria-invalid=${needsName && !isName(options.name)}
        aria-describedby="need-name" onInput=${(/** @type {string} */ name) => set({ name })} />
      <p id="need-name" class="small" role="alert">${needsName && !isName(options.name) ? texts.start.needName : ''}</p>
      ${own !== null && html`<${OwnNamePanel} own=${own} name=${options.name} open=${open} changed=${changed} />`}
      ${password.form}
      ${invited === ''
        ? html`<div class="start-ways">
            ${comeBack !== null && html`<button type="button" class="main way" onClick=${comeBack}><b>${texts.start.back}</b><span>${texts.start.goesOn}</span></button>`}
            <button type="button" class=${comeBack === null ? 'main way' : 'way'} onClick=${solo}><b>${texts.start.playNow}</b><span>${texts.start.playNowHint}</span></button>
            <button type="button" class="way" onClick=${askDay}><b>${texts.day.title}</b><span>${texts.day.date(new Date().toISOString().slice(0, 10))}</span></button>
            ${due > 0 && html`<button type="button" class="way" onClick=${() => open('mistakes')}><b>${texts.mistakes.title}</b><span>${texts.mistakes.today(due)}</span></button>`}
            ${isNew && html`<button type="button" class="way" onClick=${() => open('lesson')}><b>${texts.lesson.title}</b><span>${texts.lesson.hint}</span></button>`}
            <button type="button" class="way" onClick=${() => draft ?? setDraft(newDraft(options.name, level))} aria-expanded=${draft !== null}><b>${texts.start.makeTable}</b><span>${texts.start.makeHint}</span></button>
            <button type="button" class="way" onClick=${() => go({})}><b>${texts.start.public}</b><span>${texts.start.publicHint}</span></button>
            <button type="button" class="way" onClick=${() => go({ table: secretName('wait'), wishes: UNCLOCKED, isInvitable: true })}><b>${texts.start.wait}</b><span>${texts.start.waitHint}</span></button>
          </div>
          ${draft === null
            ? html`<${LevelChoice} levels=${levels} level=${level} onChange=${(/** @type {number} */ level) => set({ level })} />`
            : html`<${Make} draft=${draft} setDraft=${setDraft} make=${go} levels=${levels} />`}`
        : html`<${Invited} ...${props} password=${password} table=${invited} go=${go} setGreeting=${setGreeting} />`}
    </div>
    ${invited === '' && !password.isNeeded && html`<${Tables} options=${options} password=${password} go=${go} setLevels=${setLevels} setGreeting=${setGreeting} />`}
    ${isDay && html`<${Day} options=${options} onClose=${() => open('')} play=${(/** @type {string} */ table) => { open(''); void go({ table }); }} />`}
    <div class="row start-foot">
      ${(!isNew || invited !== '') && html`<button type="button" class="plain" onClick=${() => open('lesson')}>${texts.lesson.title}</button>`}
      <button type="button" class="plain" onClick=${() => open('teaching')}>${texts.teaching.title}</button>
      ${own !== null && html`<button type="button" class="plain" onClick=${() => open('standings')}>${texts.standings.title}</button>`}
      <button type="button" class="plain" onClick=${() => open('mistakes')}>${texts.mistakes.title}</button>
      <button type="button" class="plain" onClick=${() => open('statistics')}>${texts.start.statistics}</button>
      <button type="button" class="plain" onClick=${() => open('options')}>${texts.start.options}</button>
    </div>
  </main>`;
}

/** @param {string} name of the player @param {number} level @returns {Draft} */
const newDraft = (name, level) => ({
  table: friendsName(name), rules: null, endScore: '', turnLimit: `${NO_CLOCK_ALONE}`, computers: '0', level,
});

/** @param {{draft: Draft, setDraft: (draft: Draft | null) => void, make: (where: Where) => void, levels: number}} props */
function Make({ draft, setDraft, make, levels }) {
  const words = texts.make;
  const { table, rules, endScore, turnLimit, computers, level } = draft;
  /** @template {keyof Draft} Key @param {Key} key */
  const to = (key) => (/** @type {Draft[Key]} */ value) => setDraft({ ...draft, [key]: value });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    make({
      table: table.trim(),
      wishes: { computers: Number(computers), endScore: Number(endScore), turnLimit: Number(turnLimit), rules, level },
    });
  };
  return html`<form class="stack make" onSubmit=${submit} aria-label=${words.title}>
    <h2>${words.title}</h2>
    <${Field} label=${words.table} value=${table} required maxlength="30" onInput=${to('table')} />
    <p class="small quiet">${words.tableHint}</p>
    <${RulesForm} rules=${rules} hasHost onChange=${(/** @type {Draft['rules']} */ rules, /** @type {number} */ end) => setDraft({ ...draft, rules, endScore: end > 0 ? `${end}` : endScore })} />
    <div class="pair">
      <${Field} label=${words.endScore} type="number" min="1" max="10000" placeholder=${words.hosts} value=${endScore} onInput=${to('endScore')} />
      <${Choice} label=${words.clock} value=${turnLimit} onChange=${to('turnLimit')}
        choices=${[[NO_CLOCK_ALONE, words.hostsOwn], ...[15, 30, 60, 120, 300].map((s) => [s, `${s} ${words.seconds}`])]} />
    </div>
    <${Choice} label=${words.computers} value=${computers} onChange=${to('computers')} choices=${[0, 1, 2, 3].map((n) => [n, `${n}`])} />
    <${LevelChoice} levels=${levels} level=${level} onChange=${to('level')} />
    <div class="row"><button class="main" disabled=${!isName(table)}>${words.make}</button>
      <button type="button" onClick=${() => setDraft(null)}>${texts.cancel}</button></div>
  </form>`;
}

/** @param {StartProps & {table: string, password: import('./password.js').Password, go: (where: Where) => void, setGreeting: (texts: string[]) => void}} props */
function Invited({ options, password, table, go, uninvite, comeBack, setGreeting }) {
  const [told, setTold] = useState(/** @type {import('../client/registration.js').ToldTable | null | undefined} */ (undefined));
  const [isNotTold, setNotTold] = useState(false);
  const [why, setWhy] = useState('');
  const words = texts.invited;
  useEffect(() => {
    if (password.isNeeded) return;
    const asked = asking(
      () => askTable(opener('game'), '?', options.password, table),
      ({ told, greeting }) => {
        setTold(told);
        setGreeting(greeting);
        setNotTold(told === undefined);
        setWhy('');
      },
      (error) => {
        if (!password.isRefused(error)) setWhy(inWords(error));
      },
    );
    return asked.stop;
  }, [table, options.password, password.isNeeded]);
  const names = allCalled(told?.names ?? []).filter((name) => name !== '');
  const isFull = told != null && told.openSeats === 0;
  return html`<section class="stack">
    <h2>${words.title(table)}</h2>
    ${comeBack !== null && html`<p>${texts.start.kept}</p>`}
    ${why !== '' && html`<p class="problem" role="alert">${why}</p>`}
    ${told === null && html`<p>${words.nobody}</p>`}
    ${isNotTold && html`<p>${words.notTold}</p>`}
    ${told != null && html`${told.opener !== '' && html`<p>${words.by(called(told.opener))}</p>`}
      ${names.length > 0 && html`<p>${words.there(names)}</p>`}
      <${RulesInWords} rules=${told.rules} endScore=${told.endScore} turnLimit=${told.turnLimit} />`}
    ${isFull && html`<p>${words.full}</p>`}
    <div class="row">
      ${!isFull && !isNotTold && !password.isNeeded && html`<button type="button" class="main" onClick=${() => go({ table, wishes: UNCLOCKED })}>${words.join}</button>`}
      ${isFull && told?.isPrivate === false && html`<button type="button" class="main" onClick=${() => go({ watch: told.gameNumber })}>${words.watch}</button>`}
      ${comeBack !== null && html`<button type="button" onClick=${comeBack}>${texts.start.back}</button>`}
      <button type="button" class="plain" onClick=${uninvite}>${words.elsewhere}</button>
    </div>
  </section>`;
}

/** @param {{options: Options, password: import('./password.js').Password, go: (where: Where) => void, setLevels: (levels: number) => void, setGreeting: (texts: string[]) => void}} props */
function Tables({ options, password, go, setLevels, setGreeting }) {
  const [tables, setTables] = useState(/** @type {import('../client/registration.js').ListedTable[] | null} */ (null));
  const [why, setWhy] = useState('');
  const words = texts.start;
  const [looks, setLooks] = useState(0);
  const look = () => setLooks(looks + 1);
  useEffect(() => {
    const asked = asking(
      () => listTables(opener('game'), '?', options.password),
      ({ tables, levels, greeting }) => {
        setTables(tables);
        setLevels(levels);
        setGreeting(greeting);
        setWhy('');
      },
      (error) => {
        if (!password.isRefused(error)) setWhy(inWords(error));
      },
      true,
    );
    return asked.stop;
  }, [looks]);
  return html`<section class="card-panel stack" aria-label=${words.tables}>
    <div class="row between"><h2>${words.tables}</h2><button type="button" onClick=${look}>${words.refresh}</button></div>
    ${why !== '' && html`<p class="problem" role="status">${why}</p>`}
    ${tables === null ? why === '' && html`<p class="quiet">${words.loading}</p>` : tables.length === 0 && html`<p class="quiet">${words.noTables}</p>`}
    <ul class="tables">${(tables ?? []).map(
      ({ table, gameNumber, openSeats, names }) => html`<li>
        <div><b>${called(table)}</b> <span class="small quiet">${gameNumber > 0 ? words.playing : words.forming}${openSeats > 0 ? `, ${words.free(openSeats)}` : ''}</span>
          <div class="small">${allCalled(names).filter((name) => name !== '').join(', ')}</div></div>
        <div class="row">
          ${openSeats > 0 && html`<button type="button" aria-label=${`${words.join} ${called(table)}`} onClick=${() => go({ table })}>${words.join}</button>`}
          ${gameNumber > 0 && html`<button type="button" aria-label=${`${words.watch} ${called(table)}`} onClick=${() => go({ watch: gameNumber })}>${words.watch}</button>`}
        </div>
      </li>`,
    )}</ul>
  </section>`;
}
