// Notes what is heard; and no browser without a screen hides a page by itself.
window.heard = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) {
  heard.push(this.frequency.value);
  start.call(this, at);
};
Object.defineProperty(document, 'hidden', { get: () => window.isAway ?? false });
