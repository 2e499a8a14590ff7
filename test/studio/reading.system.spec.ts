import { execFileSync } from 'node:child_process';
import { chromiumPath } from '#testing/browser.js';
import { exampleFiles } from '#testing/examples.js';
import { programPath } from '#testing/programs.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';

const LINES = 400;
const text = Array.from({ length: LINES }, (_, n) => `Paragraph ${n} of depot ${(n * 31) % 997}.\n`).join(
  '\n',
);
const NOTE = `# Depots\n\n${text}\n![The system](pictures/architecture.png)\n\n![Elsewhere](https://example.com/x.png)\n`;

/** Reading a manuscript: its pictures, and all of it on paper. */
(chromiumPath ? describe : describe.skip)('reading in the studio (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    const { tenant } = studio;
    const session = String((await tenant.post('/api/sessions', {})).json['id']);
    await tenant.upload(session, {
      'depots.md': NOTE,
      'architecture.png': exampleFiles('handover')['architecture.png']!,
    });
    const run = String((await tenant.post('/api/agents/runs', { session_id: session })).json['id']);
    await tenant.completed(run);
    await studio.open(`/documents/${session}`);
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('shows the pictures of the sources, and lists web images, which it does not fetch', async () => {
    const { page } = studio;
    await page.getByText('Picture: Elsewhere').waitFor();
    const picture = page.getByRole('img', { name: 'The system' });
    await picture.scrollIntoViewIfNeeded();
    // Pictures are loaded when they are near the screen.
    await page.evaluate("document.querySelector('.reading-image').decode()");
    expect(await page.evaluate("document.querySelector('.reading-image').naturalWidth")).toBeGreaterThan(100);
    expect(await studio.accessibility()).toEqual([]);
  });

  (programPath('pdftotext') ? it : it.skip)('prints every line, whatever is on the screen', async () => {
    const { page } = studio;
    await page.locator('.reading[aria-busy=false]').waitFor();
    const pdf = await page.pdf({ format: 'A4' });
    const printed = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }).replace(
      /\s+/g,
      ' ',
    );
    const missing = text.split('\n').filter((line) => !printed.includes(line));
    expect(missing).toEqual([]);
  });
});
