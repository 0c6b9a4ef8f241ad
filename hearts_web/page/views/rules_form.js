// Rules to choose, and rules in words.

import { PRESETS, bitsOf, rulesOf } from '../client/rules.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Check, Choice } from './parts.js';

/** @typedef {import('../client/rules.js').Rules} Rules */

const OWN = 'own';

/** @param {{rules: Rules, onChange: (rules: Rules) => void}} props */
export function RulesForm({ rules, onChange }) {
  const named = Object.entries(PRESETS).find(([, bits]) => bits === bitsOf(rules))?.[0] ?? OWN;
  const [isOwn, setOwn] = useState(named === OWN);
  const { rules: words } = texts;
  const set = (/** @type {Partial<Rules>} */ some) => onChange({ ...rules, ...some });
  const choose = (/** @type {string} */ preset) => {
    setOwn(preset === OWN);
    if (preset !== OWN) onChange(rulesOf(PRESETS[preset]));
  };
  /** @param {'jack' | 'dump' | 'bleed' | 'rotate' | 'noTrick' | 'queenBreaks'} field */
  const check = (field) =>
    html`<${Check} label=${words[field]} value=${rules[field]} onChange=${(/** @type {boolean} */ is) => set({ [field]: is })} />`;
  /** @param {'moon' | 'exact' | 'passing'} field @param {string[]} choices */
  const choice = (field, choices) =>
    html`<${Choice} label=${words[field]} value=${rules[field]} choices=${choices.map((text, value) => [value, text])}
      onChange=${(/** @type {string} */ value) => set({ [field]: Number(value) })} />`;
  return html`<div class="stack">
    <${Choice} label=${texts.make.rules} value=${isOwn ? OWN : named} onChange=${choose}
      choices=${[...Object.keys(PRESETS).map((preset) => [preset, texts.presets[/** @type {keyof typeof texts.presets} */ (preset)]]), [OWN, texts.make.own]]} />
    ${isOwn && html`<div class="stack">
      ${choice('passing', words.passings)} ${choice('moon', words.moons)} ${choice('exact', words.exacts)}
      <div>${check('jack')} ${check('dump')} ${check('bleed')} ${check('rotate')} ${check('noTrick')} ${check('queenBreaks')}</div>
    </div>`}
  </div>`;
}

/** What is played, as sentences. @param {{rules: Rules, endScore: number, turnLimit: number | null}} props seconds */
export function RulesInWords({ rules, endScore, turnLimit }) {
  const { rules: words } = texts;
  return html`<ul class="rules-words">
    <li>${words.end(endScore)}</li>
    ${turnLimit !== null && html`<li>${words.clock(turnLimit)}</li>`}
    <li>${words.passing}: ${words.passings[rules.passing]}.</li>
    <li>${words.moon}: ${words.moons[rules.moon]}.</li>
    ${rules.exact > 0 && html`<li>${words.exact} ${words.exacts[rules.exact]}.</li>`}
    ${rules.jack && html`<li>${words.jack}.</li>`}
    ${rules.dump && html`<li>${words.dump}.</li>`}
    ${rules.bleed && html`<li>${words.bleed}.</li>`}
    ${rules.rotate && html`<li>${words.rotate}.</li>`}
    ${rules.noTrick && html`<li>${words.noTrick}.</li>`}
    ${!rules.queenBreaks && html`<li>${words.queenKeeps}.</li>`}
  </ul>`;
}
