// An evening in Firefox: node evening.mjs PUPPETEER FIREFOX ADDRESS. Somebody comes for the first
// time, plays a hand by the hints, reloads in the middle, and comes back to the same cards.

import { createRequire } from 'node:module';

const [folder, executablePath, address] = process.argv.slice(2);
const puppeteer = createRequire(`${folder}/`)('puppeteer-core');
const browser = await puppeteer.launch({
  browser: 'firefox', executablePath, headless: true, timeout: 120_000, protocolTimeout: 120_000,
  extraPrefsFirefox: { 'intl.accept_languages': 'en' },
});
const complaints = [];
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(address);
  const press = async (words) => (await page.waitForSelector(`::-p-text(${words})`)).click();
  const held = () => page.$$eval('.hand .card .hidden', (all) => all.map((it) => it.textContent.split(',')[0]).sort());

  await page.waitForSelector('::-p-text(Your first hand)');
  await press('Play now');
  await page.waitForSelector('.hand.asked .card');
  let hasReloaded = false;
  while ((await page.$('.over-panel')) === null) {
    const goOn = await page.$('.go-on:not(.claim)');
    if (goOn !== null) await goOn.click().catch(() => {});
    if ((await page.$('.hand.asked')) === null || (await page.$('.sent')) !== null) {
      await new Promise((done) => setTimeout(done, 100));
      continue;
    }
    const before = await held();
    if (before.length === 7 && !hasReloaded) {
      hasReloaded = true;
      await page.reload();
      await page.waitForFunction((cards) => document.querySelectorAll('.hand.asked .card').length === cards, {}, 7);
      if (String(await held()) !== String(before)) throw new Error('the cards are others after the reload');
    }
    await page.keyboard.press('h');
    await page.waitForFunction(() => /^(Play|Pass) the /.test(document.querySelector('dialog[open] b')?.textContent ?? ''));
    const advice = await page.$eval('dialog[open] b', (it) => it.textContent);
    await page.$eval('dialog[open] .dialog-head button', (it) => it.click());
    await page.waitForFunction(() => document.querySelector('dialog') === null);
    // A click so soon behind a change of the cards counts as meant for what was there before.
    await new Promise((done) => setTimeout(done, 500));
    const wanted = (await held()).filter((name) => advice.includes(name));
    for (const name of wanted) {
      await page.$$eval('.hand .card', (all, name) => all.find((it) => it.textContent.includes(name)).click(), name);
      await new Promise((done) => setTimeout(done, 50));
    }
    if (wanted.length === 3) await press('Pass 3 cards to');
    else if (wanted.length !== 1) throw new Error(`${wanted} are meant by: ${advice}`);
    await page.waitForFunction((cards) => document.querySelectorAll('.hand .card').length < cards || document.querySelector('.received, .over-panel') !== null, {}, before.length);
  }
  const result = await page.$eval('.over-panel', (it) => it.innerText);
  if (!hasReloaded || complaints.length > 0) throw new Error(`${hasReloaded} ${complaints}`);
  console.log(result);
} catch (error) {
  const [page] = (await browser.pages()).slice(-1);
  console.error(complaints, await page.$eval('body', (it) => it.innerText).catch(String));
  throw error;
} finally {
  await browser.close();
}
