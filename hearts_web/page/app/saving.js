// Files for the player, such as the record of a game.

/** @param {string} name @param {string} text */
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it behind this event.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
