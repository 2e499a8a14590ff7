/** Documents for the measurement, the same in every run. */

/** A small generator of pseudo-random numbers (mulberry32), so that the input never changes. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS =
  'order service queue database replica checkpoint zażółć gęślą message worker retry deadline tenant record schema index cache backup restore network timeout latency commit branch release review module handler request response token'.split(
    ' ',
  );

/** Headings, paragraphs with emphasis, code and links, lists, tables, quotations, notes and fenced code. */
export function mixedDocument(size: number, seed = 1): string {
  const next = random(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text, '');
    length += text.length + 2;
  };
  for (let section = 1; length < size; section++) {
    add(`${section % 5 === 1 ? '#' : '##'} Section ${section} ${words(3)}`);
    add(`Plain words first: ${words(40)}. ${words(20)}.`);
    add(
      `Some **${words(2)}** and *${words(1)}* with \`${words(1)}()\`, a [link](https://example.org/${section}), ${words(50)}.`,
    );
    add([1, 2, 3].map((i) => `${i}. ${words(9)}\n   - ${words(6)}\n   - ${words(5)}`).join('\n'));
    add(
      `| Name | Value | Remark |\n| :--- | ---: | --- |\n${[1, 2, 3, 4].map((i) => `| ${words(2)} | ${i * section} | ${words(4)} |`).join('\n')}`,
    );
    add(
      `\`\`\`ts\n${Array.from({ length: 14 }, (_, i) => `  const value${i} = await call("${words(3)}", ${i});`).join('\n')}\n\`\`\``,
    );
    add(`> ${words(18)}\n> ${words(12)}`);
    add(`${words(30)}.[^n${section}] ${words(10)}.`);
    add(`[^n${section}]: ${words(8)}.`);
  }
  return parts.join('\n');
}

/**
 * Prose as people write it about software: two or three marks in every sentence, bare addresses, references, escapes, tables
 * with marks in their cells, loose and nested lists, task lists, short fences, HTML now and then.
 */
export function denseDocument(size: number, seed = 3): string {
  const next = random(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const marked = (): string =>
    pick([
      () => `**${words(2)}**`,
      () => `*${words(2)}*`,
      () => `_${words(1)}_`,
      () => `\`${words(1)}.${words(1)}()\``,
      () => `[${words(2)}](https://example.org/${words(1)}/a_b)`,
      () => `[\`${words(1)}\`](#${words(1)})`,
      () => `[${words(1)}][ref]`,
      () => `https://example.org/${words(1)}`,
      () => `${words(1)}\\*`,
      () => `~~${words(1)}~~`,
      () => `**${words(1)} \`${words(1)}\`**`,
    ])();
  const sentence = (): string => `${words(4)} ${marked()} ${words(5)} ${marked()}, ${words(3)}.`;
  const parts: string[] = ['[ref]: https://example.org/ref "Reference"', ''];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text, '');
    length += text.length + 2;
  };
  for (let section = 1; length < size; section++) {
    add(`${section % 6 === 1 ? '#' : '##'} ${words(3)} \`${words(1)}\``);
    for (let i = 0; i < 3; i++) add([sentence(), sentence(), sentence()].join(section % 2 ? ' ' : '\n'));
    add(
      [1, 2, 3, 4]
        .map(() => `- ${sentence()}\n  - ${words(3)} ${marked()}`)
        .join(section % 3 ? '\n' : '\n\n'),
    );
    add(
      `| ${words(1)} | ${words(1)} | ${words(1)} |\n| - | -: | --- |\n${[1, 2, 3, 4, 5].map((i) => `| ${marked()} | ${i} | ${words(2)} ${marked()} |`).join('\n')}`,
    );
    add(`\`\`\`sh\n${words(2)} --${words(1)}\n${words(4)}\n\`\`\``);
    add(`${section}. [x] ${words(4)}\n${section + 1}. ${sentence()}`);
    add(`> ${sentence()}\n> ${sentence()}`);
    if (section % 5 === 0) add(`<p align="center"><b>${words(3)}</b></p>`);
    if (section % 4 === 0) add(`${sentence()}[^${section}]\n\n[^${section}]: ${sentence()}`);
  }
  return parts.join('\n');
}

/** Log files, each in a fenced block under a heading. */
export function logDocument(size: number, seed = 2): string {
  const next = random(seed);
  const parts: string[] = [];
  let length = 0;
  for (let file = 1; length < size; file++) {
    const lines = Array.from({ length: 2000 }, (_, i) => {
      const time = new Date(1.77e12 + (file * 2000 + i) * 137).toISOString();
      const id = Math.floor(next() * 1e9).toString(16);
      return `${time} ${next() < 0.9 ? 'INFO ' : 'ERROR'} [worker-${i % 8}]\trequest=${id} path=/api/orders/${i}?x=<${i}>&y="1" took ${Math.floor(next() * 900)} ms`;
    });
    const text = `# server-${file}.log\n\n\`\`\`log\n${lines.join('\n')}\n\`\`\`\n`;
    parts.push(text);
    length += text.length;
  }
  return parts.join('\n');
}
