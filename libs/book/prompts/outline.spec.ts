import { sharedPrefix } from '#testing/shared-prefix.js';
import type { BookSnapshot } from '../graph/ports.js';
import type { Passage } from '../graph/texts.js';
import { generateOutline } from './outline.js';

const book: BookSnapshot = {
  id: 'bok_1',
  title: 'The Light at Marrow Point',
  profile: { language: 'en', target_audience: 'visitors of the lighthouse', chapter_count: 5 },
  synopsis: '',
  chapters: [],
  isStopping: false,
};
const passage = (section: string, text: string): Passage => ({
  id: section,
  source_id: 'src_1',
  source_title: 'Station log',
  author: null,
  text,
  span: { start: 0, end: text.length },
  heading_path: ['Station log', section],
  weight: 3,
});
const passages = [
  passage('Building', 'The tower was built in two summers, 1869 and 1870, of stone from the point.'),
  passage('Oil', 'The lamp burned 40 litres a week. The oil came by boat from Hale.'),
  passage('The winter of 1893', 'For nine days no boat could leave. Bread ran out first.'),
  passage('Electric light', 'In 1931 a cable was laid. The last keeper left in the same year.'),
];
const part = { from: 1, to: 5, total: 5 };
const outline = (before: { title: string }[] = [], of = part) =>
  generateOutline(
    book,
    passages,
    before.map(({ title }) => ({ title, summary: '', sections: [], terms: [] })),
    of,
  );

/** What a careful model answers to the prompt above. */
const CAREFUL = {
  synopsis:
    'A light is only as good as the supplies behind it. When the cable made the boats unnecessary, it made the keepers unnecessary too.',
  chapters: [
    {
      title: 'Two summers of stone',
      summary:
        'How the tower came to stand on the point. The reader knows afterwards what it is made of and how long it took.',
      sections: [{ title: 'Stone from the point', points: ['built in 1869 and 1870 (Station log)'] }],
      terms: ['Marrow Point'],
    },
    {
      title: 'Forty litres a week',
      summary:
        'What the lamp burned, and where it came from. The reader sees how the light depended on boats.',
      sections: [{ title: 'The boat from Hale', points: ['40 litres a week (Station log)'] }],
      terms: ['Hale'],
    },
    {
      title: 'Nine days of ice',
      summary: 'The winter of 1893, when no boat could leave. The reader learns what ran out first.',
      sections: [{ title: 'Bread', points: ['no boat for nine days (Station log)'] }],
      terms: [],
    },
    {
      title: 'The cable of 1931',
      summary:
        'How electricity replaced oil and the keepers. The reader knows why nobody lives at the light today.',
      sections: [{ title: 'The last keeper', points: ['cable in 1931 (Station log)'] }],
      terms: [],
    },
  ],
  enough: 'The station log has four subjects, and none is told in enough detail to make two chapters of it.',
};

describe('B12 B13 the prompt of an outline', () => {
  it('lets a careful model say that four chapters are enough for five wanted', () => {
    expect(outline().prompt).toContain('If they do not support 5 chapters, give fewer, and say in "enough"');
    expect(outline().read(JSON.stringify(CAREFUL))).toEqual(CAREFUL);
  });

  it('asks a careless model again, which gives too few chapters without a reason', () => {
    const careless = `Here is the outline:\n\`\`\`json\n${JSON.stringify({ ...CAREFUL, enough: ' ' })}\n\`\`\`\nShall I go on?`;
    expect(() => outline().read(careless)).toThrow(
      'it has 4 chapters, not 5. Give 5, or say in "enough" why',
    );
    expect(() => outline().read(JSON.stringify({ chapters: [], enough: 'No sources.' }))).toThrow(
      'it has no chapter.',
    );
  });

  it('ignores the reason of a careless model that gives all chapters', async () => {
    const chapters = [...CAREFUL.chapters, { ...CAREFUL.chapters[0]!, title: 'The point' }];
    expect((await outline().read(JSON.stringify({ ...CAREFUL, chapters }))).enough).toBe('');
  });

  it('lets a later part end the outline, and shares the sources with the first one', () => {
    const later = outline(CAREFUL.chapters, { from: 5, to: 5, total: 5 });
    expect(later.read('{"chapters": [], "enough": "The log tells no more."}')).toMatchObject({
      chapters: [],
    });
    const prefix = sharedPrefix(outline().prompt, later.prompt);
    expect(prefix).toBeGreaterThan(outline().prompt.indexOf('</passages>'));
    expect(outline().prompt.length / 4).toBeLessThan(800);
  });
});
