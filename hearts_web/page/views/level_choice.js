// How well computers play, to choose.

import { LEVELS } from '../client/rule_table.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Choice } from './parts.js';

/**
 * Nothing where there is nothing to choose.
 * @param {{levels: number, level: number, label?: string, onChange: (level: number) => void}} props
 *   levels: bit n is set where level n may be chosen
 */
export function LevelChoice({ levels, level, label = texts.levels.title, onChange }) {
  const { names, host } = texts.levels;
  const choices = Object.entries(LEVELS)
    .filter(([number]) => (levels >> Number(number)) & 1)
    .map(([number, name]) => [number, names[name] ?? name]);
  if (choices.length === 0) return null;
  return html`<${Choice} label=${label} value=${level} choices=${[[0, host], ...choices]}
    onChange=${(/** @type {string} */ value) => onChange(Number(value))} />`;
}
