// Small parts that many views are made of.

import { texts } from '../texts.js';
import { html, useEffect, useRef } from '../vendor/preact.js';

/** @typedef {import('../vendor/preact.js').Node} Node */

/** Pictures of buttons, as paths in a square of 24. */
const ICONS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  scores: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.500c1 1 1 1.500 1 2.500h6c0-1 0-1.500 1-2.500A6 6 0 0 0 12 3z',
  last: 'M4 12a8 8 0 1 0 3-6.200M4 4v4h4M12 8v4l3 2',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H8',
  close: 'M6 6l12 12M18 6L6 18',
  fair: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.500 12l2.500 2.500 4.500-5',
  unfair: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM12 8v5M12 16v.01',
  own: 'M5 12.500l4.500 4.500L19 7.500',
  open: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  left: 'M14 6l-6 6 6 6', right: 'M10 6l6 6-6 6', first: 'M17 6l-6 6 6 6M7 6v12', end: 'M7 6l6 6-6 6M17 6v12',
};

/** @param {{name: keyof typeof ICONS}} props */
export const Icon = ({ name }) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${ICONS[name]} /></svg>`;

/** The mark of a name whose owner has proved that it is theirs. */
export const OwnMark = () => html`<span class="own-mark" role="img" aria-label=${texts.names.own} title=${texts.names.own}><${Icon} name="own" /></span>`;

/** @param {{icon: keyof typeof ICONS, label: string, onClick: () => void, children?: Node, [more: string]: unknown}} props */
export const IconButton = ({ icon, label, onClick, children, ...more }) =>
  html`<button type="button" class="icon" aria-label=${label} title=${label} onClick=${onClick} ...${more}>
    <${Icon} name=${icon} />${children}
  </button>`;

/** @param {{title: string, onClose: () => void, children?: Node, kind?: string}} props */
export function Dialog({ title, onClose, children, kind = '' }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  // A dialog that another one has taken the place of says so, too, and closes nothing.
  const closed = () => element.current !== null && onClose();
  const onBackdrop = (/** @type {MouseEvent} */ event) => {
    if (event.target === element.current) onClose();
  };
  return html`<dialog ref=${element} class=${kind} aria-label=${title} onClose=${closed} onClick=${onBackdrop}>
    <div class="dialog-head"><h2>${title}</h2><${IconButton} icon="close" label=${texts.close} onClick=${onClose} /></div>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

/**
 * A choice of one of some words.
 * @param {{label: string, value: string | number, choices: [string | number, string][], onChange: (value: string) => void}} props
 */
export const Choice = ({ label, value, choices, onChange }) => html`<label class="field"><span>${label}</span>
  <select value=${value} onChange=${(/** @type {{target: HTMLSelectElement}} */ { target }) => onChange(target.value)}>
    ${choices.map(([key, text]) => html`<option value=${key} selected=${String(key) === String(value)}>${text}</option>`)}
  </select></label>`;

/** @param {{label: string, value: boolean, onChange: (value: boolean) => void}} props */
export const Check = ({ label, value, onChange }) => html`<label class="check">
  <input type="checkbox" checked=${value} onChange=${(/** @type {{target: HTMLInputElement}} */ { target }) => onChange(target.checked)} />
  ${label}</label>`;

/** @param {{label: string, value: string, onInput: (value: string) => void, [more: string]: unknown}} props */
export const Field = ({ label, value, onInput, ...more }) => html`<label class="field"><span>${label}</span>
  <input value=${value} onInput=${(/** @type {{target: HTMLInputElement}} */ { target }) => onInput(target.value)} ...${more} /></label>`;
