// Rules to choose, and rules in words.

import { PRESETS, RULES, bitsOf, having, moonOf, rulesOf } from '../client/rules.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Check, Choice } from './parts.js';

/** @typedef {import('../client/rules.js').Rules} Rules */

const OWN = 'own';
const HOSTS = 'host';
const TICKS = RULES.filter(({ tokens }) => tokens.length === 2).map(({ field }) => field);

/**
 * @param {object} props
 * @param {Rules | null} props.rules null: the host's own
 * @param {boolean} [props.hasHost] whether these may be chosen
 * @param {(rules: Rules | null, end: number) => void} props.onChange `end` is that of a preset, 0 none
 */
export function RulesForm({ rules: chosen, hasHost = false, onChange }) {
  const rules = chosen ?? rulesOf(0);
  const named = chosen === null ? HOSTS : Object.entries(PRESETS).find(([, { bits }]) => bits === bitsOf(rules))?.[0] ?? OWN;
  const [isOwn, setOwn] = useState(named === OWN);
  const { rules: words } = texts;
  const set = (/** @type {Partial<Rules>} */ some) => onChange(having(rules, some), 0);
  const choose = (/** @type {string} */ preset) => {
    setOwn(preset === OWN);
    if (preset === OWN) return onChange(rules, 0);
    if (preset === HOSTS) return onChange(null, 0);
    const { bits, end } = PRESETS[/** @type {keyof typeof PRESETS} */ (preset)];
    onChange(rulesOf(bits), end);
  };
  const check = (/** @type {keyof Rules} */ field) =>
    html`<${Check} label=${words[field]} value=${rules[field]} onChange=${(/** @type {boolean} */ is) => set({ [field]: is })} />`;
  const choice = (/** @type {'moon' | 'exact' | 'pass'} */ field) =>
    html`<${Choice} label=${words[field]} value=${rules[field]} choices=${words.choices(moonOf(rules))[field].map((text, value) => [value, text])}
      onChange=${(/** @type {string} */ value) => set({ [field]: Number(value) })} />`;
  return html`<div class="stack">
    <${Choice} label=${texts.make.rules} value=${isOwn ? OWN : named} onChange=${choose}
      choices=${[...(hasHost ? [[HOSTS, texts.make.hosts]] : []), ...Object.keys(PRESETS).map((preset) => [preset, texts.presets[/** @type {keyof typeof texts.presets} */ (preset)]]), [OWN, texts.make.own]]} />
    ${isOwn && html`<div class="stack">
      ${choice('pass')} ${choice('moon')} ${choice('exact')}
      <div>${TICKS.map(check)}</div>
    </div>`}
  </div>`;
}

/** What is played, as sentences. @param {{rules: Rules, endScore: number, turnLimit: number | null, day?: string}} props seconds; a day has four hands */
export function RulesInWords({ rules, endScore, turnLimit, day = '' }) {
  const { rules: words } = texts;
  const choices = words.choices(moonOf(rules));
  return html`<ul class="rules-words">
    <li>${day === '' ? words.end(endScore) : words.fourHands}</li>
    ${turnLimit !== null && html`<li>${words.clock(turnLimit)}</li>`}
    <li>${words.pass}: ${choices.pass[rules.pass]}.</li>
    <li>${words.moon}: ${choices.moon[rules.moon]}.</li>
    ${rules.exact > 0 && html`<li>${words.exact} ${choices.exact[rules.exact]}.</li>`}
    ${TICKS.filter((field) => rules[field]).map((field) => html`<li>${words[field]}.</li>`)}
  </ul>`;
}
