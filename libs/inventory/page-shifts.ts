import type { DefaultTreeAdapterTypes } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

interface ShiftRule {
  tag: string;
  classes: string[];
  id: string;
  shift: string;
}

const LONGEST_SHEET = 500_000;
const SELECTOR = /^([a-z][a-z0-9]*)?((?:\.[\w-]+)*)(?:#([\w-]+))?$/i;
const ALIGNED = /(?:^|[;{\s])vertical-align\s*:\s*([a-z]+)/i;

const isForScreens = (head: string): boolean =>
  /@(?:layer|supports)/i.test(head) || (/@media/i.test(head) && /\b(?:screen|all)\b/i.test(head));

/** Elements that the style sheets of a page raise or lower. Rules for printing and rules with combinators are ignored. */
export class PageShifts {
  private readonly rules: ShiftRule[] = [];

  /** @param sheets texts of the `style` elements */
  constructor(sheets: readonly string[]) {
    for (const sheet of sheets) this.read(sheet.slice(0, LONGEST_SHEET));
  }

  /** Returns `^` for a raised element, `_` for a lowered one, otherwise null. */
  of(element: Element): '^' | '_' | null {
    if (/^su[pb]$/.test(element.tagName)) return null;
    const value = (name: string) => element.attrs.find((each) => each.name === name)?.value ?? '';
    const own = ALIGNED.exec(value('style'))?.[1];
    const shift = own ?? this.ruled(element.tagName, value('class').split(/\s+/), value('id'));
    return /^super$/i.test(shift) ? '^' : /^sub$/i.test(shift) ? '_' : null;
  }

  private ruled(tag: string, classes: readonly string[], id: string): string {
    let best = { weight: -1, shift: '' };
    for (const rule of this.rules) {
      const fits =
        (rule.tag === '' || rule.tag === tag) &&
        (rule.id === '' || rule.id === id) &&
        rule.classes.every((name) => classes.includes(name));
      const weight = (rule.id === '' ? 0 : 100) + rule.classes.length * 10 + (rule.tag === '' ? 0 : 1);
      if (fits && weight >= best.weight) best = { weight, shift: rule.shift };
    }
    return best.shift;
  }

  private read(sheet: string): void {
    /** Heads of the open groups, such as `@media print`. */
    const groups: string[] = [];
    for (const part of sheet
      .split('/*')
      .map((each, at) => (at === 0 ? each : (each.split('*/')[1] ?? '')))
      .join(' ')
      .split('}')) {
      const pieces = part.split('{');
      if (pieces.length === 1) {
        groups.pop();
        continue;
      }
      groups.push(...pieces.slice(0, -2));
      const shift = ALIGNED.exec(pieces.at(-1)!)?.[1];
      if (shift === undefined || groups.some((head) => !isForScreens(head))) continue;
      for (const selector of pieces
        .at(-2)!
        .replace(/^[^;]*;/, '')
        .split(',')) {
        const found = SELECTOR.exec(selector.replace(/<!--/g, '').trim());
        if (found?.[0])
          this.rules.push({
            tag: (found[1] ?? '').toLowerCase(),
            classes: (found[2] ?? '').split('.').filter((name) => name !== ''),
            id: found[3] ?? '',
            shift,
          });
      }
    }
  }
}
