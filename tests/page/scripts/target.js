// Where a finger would tap next; null where nothing is to be done.
() => {
  const go = document.querySelector('.go-on:not(.claim), .over-panel:not(.result) button.main');
  const button = document.querySelector('.prompt button.main');
  const cards = [...document.querySelectorAll('.hand.asked .card:not(.illegal)')];
  const raised = cards.filter((card) => card.classList.contains('raised'));
  let wanted = go ?? button;
  if (wanted === button && button?.disabled) wanted = cards.find((card) => !raised.includes(card));
  if (!wanted && !document.querySelector('.sent')) wanted = raised[0] ?? cards[0];
  if (!wanted) return null;
  const { x, y, width, height } = wanted.getBoundingClientRect();
  return [x + Math.min(12, width / 2), y + Math.min(20, height / 2)];
}
