// The page as a program of the device: its files are kept by a service worker, where there may be one.

const WORKER = 'service_worker.js?page=';

/**
 * The address of the worker, in the form that the browser asks for (`require-trusted-types-for`).
 * No other script can be had from this policy.
 * @param {string} page the tag of all its files
 */
function workerAddress(page) {
  const address = `${WORKER}${encodeURIComponent(page)}`;
  const { trustedTypes } = /** @type {{trustedTypes?: {createPolicy: (name: string, rules: {createScriptURL: (url: string) => string}) => {createScriptURL: (url: string) => string}}}} */ (
    /** @type {unknown} */ (window)
  );
  if (trustedTypes === undefined) return address;
  const policy = trustedTypes.createPolicy('hearts-page', {
    createScriptURL(url) {
      if (!url.startsWith(WORKER)) throw new TypeError('only the worker of the page');
      return url;
    },
  });
  return policy.createScriptURL(address);
}

/** Without a worker the page is played all the same. @param {Promise<import('./config.js').Config>} config */
export async function keepShell(config) {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return;
  try {
    const { page } = await config;
    await navigator.serviceWorker.register(workerAddress(page));
  } catch {
    // The gateway is not there, or the browser does not believe its certificate.
  }
}
