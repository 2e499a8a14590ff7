import { renderChapter } from './chapter.js';

describe('scriptorium book chapter', () => {
  it('B26 prints the findings of the chapter with its score', () => {
    const found = { id: 'f', rule: 'r', span: null, paragraph_id: null, evidence: [], suggestion: null };
    const findings = [
      { ...found, severity: 'error' as const, message: 'The passage says 1888.' },
      { ...found, severity: 'info' as const, message: 'Not word for word in the passage.' },
    ];
    const written = { number: 2, title: 'Lamps', score: 76, open_questions: ['Who paid?'], findings };
    expect(renderChapter(written)).toBe(
      '2  Lamps  score 76\n     open: Who paid?\n     error: The passage says 1888.\n     note: Not word for word in the passage.\n',
    );
  });
});
