// Chooses for a page as somebody would who clicks at once, 'high': the highest card; says how many
// cards are left.
(how) => {
  const height = ({ dataset: { card } }) => ((Number(card) + 11) % 13) * 4 + Math.floor((card - 1) / 13);
  const go = document.querySelector('.go-on:not(.claim), .over-panel:not(.result) button.main');
  const asked = [...document.querySelectorAll('.hand.asked .card:not(.illegal)')];
  const pass = document.querySelector('.prompt button.main');
  if (go) go.click();
  else if (pass && !pass.disabled) pass.click();
  else if (pass) asked.find((card) => !card.classList.contains('raised'))?.click();
  else if (!document.querySelector('.sent')) (how === 'high' ? asked.sort((a, b) => height(b) - height(a)) : asked)[0]?.click();
  return document.querySelectorAll('.hand .card').length;
}
