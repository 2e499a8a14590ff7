import { openDecisions } from './definition.js';

describe('openDecisions', () => {
  const decisions = { 'p.png': 'skip', 'img/q.png': 'photo.png' };
  const text_files = ['a.md', 'notes/b.md'];

  it('keeps the answers to references that no input has', () => {
    expect(openDecisions(decisions, { input_files: text_files, text_files })).toEqual(decisions);
  });

  it('forgets an answer when the picture was added', () => {
    const input_files = [...text_files, 'p.png'];
    expect(openDecisions(decisions, { input_files, text_files })).toEqual({ 'img/q.png': 'photo.png' });
  });

  it('keeps an answer that a source in another folder still needs', () => {
    const input_files = [...text_files, 'notes/p.png', 'other/p.png'];
    expect(openDecisions(decisions, { input_files, text_files })).toEqual(decisions);
  });
});
