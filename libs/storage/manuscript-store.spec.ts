import { MemoryStore } from '#testing/memory-store.js';
import { ManuscriptStore } from './manuscript-store.js';

describe('ManuscriptStore.addedSince', () => {
  const manuscripts = new ManuscriptStore(new MemoryStore(), 'tenant', 'session');

  it('D9 returns the text that appends added, and null if an earlier line was changed', async () => {
    const first = (await manuscripts.append(null, '# One\n')).pointer;
    const second = (await manuscripts.append(first, '# Two\n')).pointer;
    const third = (await manuscripts.append(second, 'words\n')).pointer;
    expect(String(await manuscripts.addedSince(third, first))).toBe('\n# Two\n\nwords\n');
    expect(String(await manuscripts.addedSince(third, third))).toBe('');
    expect(await manuscripts.addedSince(first, second)).toBeNull();
    const edited = (await manuscripts.editLine(third, 1, '# Other')).pointer;
    expect(await manuscripts.addedSince(edited, second)).toBeNull();
  });
});
