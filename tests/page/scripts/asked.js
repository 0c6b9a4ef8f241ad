// What is asked of somebody who has no pointer.
() => {
  if (document.querySelector('.over-panel:not(.result) button.main')) return 'go on';
  if (document.querySelector('.sent') || !document.querySelector('.hand.asked')) return '';
  return document.querySelector('.prompt button.main') ? 'pass' : 'card';
}
