// Who waits to be invited, and an invitation to another table.

import { allCalled, called } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect } from '../vendor/preact.js';
import { Dialog } from './parts.js';
import { RulesInWords } from './rules_form.js';

/** @typedef {import('../app/evening.js').Evening} Evening */

const LOOK_EVERY = 5000;

/** Those who would come to our table. @param {{evening: Evening}} props */
export function Inviting({ evening }) {
  const words = texts.invite;
  const { invitables } = evening.picture;
  useEffect(() => {
    evening.wishes.lookForInvitable();
    const timer = setInterval(() => evening.wishes.lookForInvitable(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  if (invitables.length === 0) return html`<p class="small quiet">${words.nobody}</p>`;
  return html`<section class="stack" aria-label=${words.waiting}><h2>${words.waiting}</h2>
    <ul class="mute-list">${invitables.map(({ number, info }) => html`<li><span>${called(info.name)} <span class="small quiet">${info.comment}</span></span>
      <button type="button" disabled=${evening.wishes.invited !== 0} aria-label=${evening.wishes.invited === number ? null : words.inviteWho(called(info.name))} onClick=${() => evening.wishes.invite(number)}>
        ${evening.wishes.invited === number ? words.asked : words.invite}</button></li>`)}</ul></section>`;
}

/** We are asked to come; to close the question is to stay. @param {{evening: Evening}} props */
export function InvitationQuestion({ evening }) {
  const { invitation } = evening.picture;
  if (invitation === null) return null;
  const words = texts.invite;
  const { inviter, table, rules, endScore, turnLimit } = invitation;
  const names = allCalled(invitation.names);
  return html`<${Dialog} title=${words.ask(names[inviter], table)} onClose=${() => evening.wishes.answerInvitation(false)}>
    <p>${texts.invited.there(names.filter((name) => name !== ''))}</p>
    <${RulesInWords} rules=${rules} endScore=${endScore} turnLimit=${turnLimit / 1000} />
    <div class="row"><button type="button" class="main" onClick=${() => evening.wishes.answerInvitation(true)}>${words.yes}</button>
      <button type="button" onClick=${() => evening.wishes.answerInvitation(false)}>${words.no}</button></div><//>`;
}
