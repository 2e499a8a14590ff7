import { textOrBlob } from './resources.js';

describe('an export as a resource of /mcp', () => {
  it('is a text only if its bytes are UTF-8, so that a client gets every byte', () => {
    const latin = Buffer.from('Größe;Preis\n1;2 €\n', 'latin1');
    expect(textOrBlob('text/csv', latin)).toEqual({ blob: latin.toString('base64') });
    const utf16 = Buffer.from('\ufeffa;b\n', 'utf16le');
    expect(textOrBlob('text/csv', utf16)).toEqual({ blob: utf16.toString('base64') });
    expect(textOrBlob('text/csv', Buffer.from('Größe'))).toEqual({ text: 'Größe' });
    expect(textOrBlob('application/pdf', Buffer.from('%PDF'))).toEqual({ blob: 'JVBERg==' });
  });
});
