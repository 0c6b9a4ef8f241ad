// Who waits to be invited, and an invitation to another table.

import { allCalled, called } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect } from '../vendor/preact.js';
import { Dialog } from './parts.js';
import { RulesInWords } from './rules_form.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */

const LOOK_EVERY = 5000;

/** Those who would come to our table. @param {{session: TableSession}} props */
export function Inviting({ session }) {
  const words = texts.invite;
  const { invitables } = session.picture;
  useEffect(() => {
    session.wishes.lookForInvitable();
    const timer = setInterval(() => session.wishes.lookForInvitable(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  if (invitables.length === 0) return html`<p class="small quiet">${words.nobody}</p>`;
  return html`<section class="stack" aria-label=${words.waiting}><h2>${words.waiting}</h2>
    <ul class="mute-list">${invitables.map(({ number, info }) => html`<li><span>${called(info.name)} <span class="small quiet">${info.comment}</span></span>
      <button type="button" disabled=${session.wishes.invited !== 0} aria-label=${session.wishes.invited === number ? null : words.inviteWho(called(info.name))} onClick=${() => session.wishes.invite(number)}>
        ${session.wishes.invited === number ? words.asked : words.invite}</button></li>`)}</ul></section>`;
}

/** We are asked to come; to close the question is to stay. @param {{session: TableSession}} props */
export function InvitationQuestion({ session }) {
  const { invitation } = session.picture;
  if (invitation === null) return null;
  const words = texts.invite;
  const { inviter, table, rules, endScore, turnLimit } = invitation;
  const names = allCalled(invitation.names);
  return html`<${Dialog} title=${words.ask(names[inviter], table)} onClose=${() => session.wishes.answerInvitation(false)}>
    <p>${texts.invited.there(names.filter((name) => name !== ''))}</p>
    <${RulesInWords} rules=${rules} endScore=${endScore} turnLimit=${turnLimit / 1000} />
    <div class="row"><button type="button" class="main" onClick=${() => session.wishes.answerInvitation(true)}>${words.yes}</button>
      <button type="button" onClick=${() => session.wishes.answerInvitation(false)}>${words.no}</button></div><//>`;
}
