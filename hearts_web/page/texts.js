// All texts of the page.

export { texts } from './texts/en.js';
