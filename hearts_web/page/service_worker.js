// Keeps the page's own files for the times at which the gateway cannot be reached. The network comes
// first, so that what is played is never an older page. Nothing else goes through here: WebSockets
// never do, and what the page asks for by script is left alone.

/** @typedef {{focus: () => Promise<void>}} Tab */
/** @typedef {Event & {notification: {close: () => void}, request: Request, waitUntil: (done: Promise<unknown>) => void, respondWith: (answer: Promise<Response>) => void}} WorkerEvent */

const worker =
  /** @type {{location: Location, skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>, matchAll: (of: {type: string}) => Promise<Tab[]>}, addEventListener: (kind: string, hear: (event: WorkerEvent) => void) => void}} */ (
    /** @type {unknown} */ (self)
  );

const PREFIX = 'hearts-page-';
/** Another page is another worker with a cache of its own (app/shell.js). */
const OWN = PREFIX + new URL(worker.location.href).searchParams.get('page');
const KINDS = new Set(['script', 'style', 'image', 'manifest']);

worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const { method, mode, destination } = event.request;
  if (method === 'GET' && (mode === 'navigate' || KINDS.has(destination))) event.respondWith(answer(event.request));
});
// Who taps a notification wants to see the table (app/calling.js).
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.matchAll({ type: 'window' }).then(([tab]) => tab?.focus()));
});

async function fill() {
  const config = await fetch('config.json', { cache: 'no-store' });
  const { files } = await config.json();
  const cache = await caches.open(OWN);
  await cache.addAll(files);
  await worker.skipWaiting();
}

async function takeOver() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(others.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(OWN);
    // The name of a table stands behind the address of the page.
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}
