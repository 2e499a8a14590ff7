import { takeInventory } from '#inventory/take-inventory.js';
import { extractText } from '../extract.js';

/** Returns the text of a page and what the inventory says of it. */
async function read(page: string): Promise<{ text: string; named: string[] }> {
  const bytes = new TextEncoder().encode(page);
  const { text } = await extractText(bytes, 'a.html');
  const { lost, entries } = await takeInventory(bytes, 'a.html', { text, encoding: null });
  expect(lost).toBe(0);
  return { text: text.trimEnd(), named: entries.map(({ words, reason }) => `${reason}: ${words}`) };
}

describe('rare elements of HTML pages', () => {
  it('D4 shows the foot of a table at its end and the head first, wherever they are written', async () => {
    const page =
      '<table><tfoot><tr><td>Total<td>900</tfoot><tr><td>Pump<td>600<thead><tr><th>Item<th>Sum</thead><tbody><tr><td>Rope<td>300</table>';
    expect((await read(page)).text).toBe(
      '| Item | Sum |\n| --- | --- |\n| Pump | 600 |\n| Rope | 300 |\n| Total | 900 |',
    );
  });

  it.each([3, 1000])(
    'D4 shows no columns in which no cell begins, as of a cell that spans %d',
    async (span) => {
      const page = `<table><tr><th colspan=${span}>Fees<tr><td>May<td>95</table>`;
      expect((await read(page)).text).toBe('| Fees |  |\n| --- | --- |\n| May | 95 |');
    },
  );

  it('D4 reads formulas of MathJax from their scripts, once', async () => {
    const drawn = '<span class="MathJax_Preview">E</span><span class="MathJax"><nobr>E=mc2</nobr></span>';
    const page = `<p>So ${drawn}<script type="math/tex">E=mc^2</script> holds.<p><script type="math/tex; mode=display">\\frac{1}{2}</script>`;
    expect(await read(page)).toEqual({
      text: 'So $$E=mc^2$$ holds.\n\n$$\\frac{1}{2}$$',
      named: ['the TeX of its script is used: E', 'the TeX of its script is used: E=mc2'],
    });
  });

  it('D4 shows declared shadow trees, and names the other templates', async () => {
    const page =
      '<div><template shadowrootmode=open><style>p{}</style><p>Fee: 640 EUR</template></div><template><p>Row</template>';
    expect(await read(page)).toEqual({
      text: 'Fee: 640 EUR\n\n<!-- left out: template: Row -->',
      named: ['template: Row'],
    });
  });

  it('D4 shows what a page puts into the slots of a shadow tree in place of their default text, once', async () => {
    const tree =
      '<style>p{}</style><p>Name: <slot name=who>nobody</slot></p><p><slot>no remark</slot><p><slot name=tel>no number</slot>';
    const page = `<main><x-card><template shadowrootmode=open>${tree}</template><b slot=who>Ada</b> <i slot=other>unused</i>Ring <u>twice</u></x-card><p>End</main>`;
    expect(await read(page)).toEqual({
      text: 'Name: Ada\n\nRing twice\n\nno number\n\nEnd\n\n<!-- left out: template: nobody no remark unused -->',
      named: ['template: nobody no remark unused'],
    });
    const { text } = await extractText(new TextEncoder().encode(page), 'a.html');
    const wrong = new TextEncoder().encode(text.replace('Name: Ada', 'Name: nobody'));
    const account = { text: new TextDecoder().decode(wrong), encoding: null };
    expect((await takeInventory(new TextEncoder().encode(page), 'a.html', account)).lost).toBe(1);
  });

  it('D4 names a template whose element cannot have a shadow tree', async () => {
    const page =
      '<template shadowrootmode=open><p>Row</template><ul><li>One<template shadowrootmode=open>Two</template></ul>';
    expect(await read(page)).toEqual({
      text: '- One\n\n<!-- left out: template: Row; Two -->',
      named: ['template: Row', 'template: Two'],
    });
  });

  it('D4 keeps the lines of the obsolete elements xmp and listing, and reports the text for browsers without frames', async () => {
    expect((await read('<p>See<xmp><b>a  b</b>\nc</xmp><listing>d  e</listing>')).text).toBe(
      'See\n\n```\n<b>a  b</b>\nc\n```\n\n```\nd  e\n```',
    );
    const frames = await read('<frameset><noframes><p>Use the <b>map</b></noframes></frameset>');
    expect(frames.named).toEqual(['text for browsers without frames: Use the map']);
  });
});
