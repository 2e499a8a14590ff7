/** Records docs/images/first-minute.gif: the example from an empty studio to the Word file. */
import sharp from 'sharp';

const WIDTH = 900;
const COLOURS = 64;
/** Milliseconds that a picture is shown before the next one. */
const SHORT = 900;
const LONG = 2_200;

/**
 * Returns the recording as an animated GIF.
 *
 * @param page page of the browser, signed in to an empty studio at `url`
 */
export async function recordFirstMinute(page, url) {
  const frames = [];
  const delays = [];
  const show = async (delay) => {
    frames.push(await page.screenshot());
    delays.push(delay);
  };
  /** Shows what is about to be clicked, then clicks it. */
  const click = async (locator) => {
    await locator.waitFor();
    await locator.evaluate((element) => {
      element.scrollIntoView({ block: 'nearest' });
      element.style.outline = '3px solid #f59f00';
      element.style.outlineOffset = '3px';
    });
    await show(SHORT);
    await locator.evaluate((element) => (element.style.outline = ''));
    await locator.click();
  };
  const button = (name) => page.getByRole('button', { name });

  await page.goto(url);
  await button(/^No files at hand/).waitFor();
  await show(LONG);
  await click(button(/^No files at hand/));
  const skip = page.getByRole('radio', { name: 'leave it out' });
  await skip.waitFor();
  await show(LONG);
  await click(skip);
  await click(button('Answer'));
  await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
  await show(LONG);
  const source = page.getByRole('listbox', { name: '01-timeline.md' });
  await source
    .getByRole('option')
    .nth(9)
    .click({ position: { x: 20, y: 8 } });
  await page.evaluate('scrollTo(0, 0)');
  await show(LONG);
  await click(page.getByRole('radiogroup').getByText('Word', { exact: true }));
  const heading = page.locator('.word-preview').getByText('What customers saw').last();
  await heading.waitFor();
  await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.evaluate('scrollTo(0, 0)');
  await show(2 * LONG);

  const scaled = await Promise.all(frames.map((frame) => sharp(frame).resize({ width: WIDTH }).toBuffer()));
  return sharp(scaled, { join: { animated: true } })
    .gif({ delay: delays, loop: 0, colours: COLOURS, interFrameMaxError: 8, dither: 0 })
    .toBuffer();
}
