// The live region: what happens, for screen readers, with a pause between two sentences.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';

const MOST = 12;

/** Sentences that wait to be told. */
export class Announcer {
  /** @type {string[]} */
  waiting = [];
  /** @type {() => void} */
  wake = () => {};

  /** @param {string} sentence */
  tell(sentence) {
    if (sentence === '') return;
    this.waiting = [...this.waiting, sentence].slice(-MOST);
    this.wake();
  }
}

/** @param {{announcer: Announcer, pause: number}} props seconds */
export function LiveRegion({ announcer, pause }) {
  const [sentence, say] = useState('');
  const timer = useRef(0);
  useEffect(() => {
    const next = () => {
      timer.current = 0;
      const all = announcer.waiting.splice(0).join(' ');
      if (all === '') return;
      say(all);
      timer.current = window.setTimeout(next, 200 + 1000 * pause);
    };
    announcer.wake = () => {
      if (timer.current === 0) timer.current = window.setTimeout(next, 50);
    };
    return () => clearTimeout(timer.current);
  }, [pause]);
  return html`<div class="hidden" role="status" aria-live="polite">${sentence}</div>`;
}
