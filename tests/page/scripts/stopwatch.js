// Notes when the first element of each kind has been drawn, and how long a click takes.
window.firstDrawn = {};
window.clicks = [];
let clicked = null;
const drawn = (then) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => then(performance.now());
  port2.postMessage(null);
});
const kinds = ['.card', '.hand .card'];
new MutationObserver(() => {
  for (const kind of kinds) {
    if (kind in firstDrawn || document.querySelector(kind) === null) continue;
    firstDrawn[kind] = 0;
    drawn((at) => { firstDrawn[kind] = at; });
  }
  if (clicked !== null) {
    const since = clicked;
    clicked = null;
    drawn((at) => clicks.push(at - since));
  }
}).observe(document, { childList: true, subtree: true, attributes: true });
document.addEventListener('click', ({ timeStamp }) => { clicked = timeStamp; }, { capture: true });
