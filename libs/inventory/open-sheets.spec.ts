import { extractText } from '#extraction/extract.js';
import { odfFile } from '#testing/office-files.js';
import { takeInventory } from './take-inventory.js';

const cell = (text: string, more = '') =>
  `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`;

describe('the inventory of OpenDocument spreadsheets', () => {
  const rows =
    '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>' +
    `<table:table-row>${cell('ten', ' table:number-columns-repeated="3"')}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
    `<table:table-row table:number-rows-repeated="2">${cell('four')}<table:table-cell office:value-type="date" office:date-value="2031-05-02"/>${cell('end')}</table:table-row>`;
  const file = odfFile('spreadsheet', `<table:table table:name="Dues">${rows}</table:table>`);

  it('X1 counts cells as often as the sheet shows them', async () => {
    const { text } = await extractText(file, 'a.ods');
    const { entries, ...counts } = await takeInventory(file, 'a.ods', { text, encoding: null });
    expect(entries.map(({ place, outcome }) => `${outcome} ${place}`)).toEqual(['left_out sheet "Dues" B2']);
    expect(counts).toEqual({ pieces: 8, carried: 7, said_twice: 0, left_out: 1, lost: 0 });
  });

  it('X1 detects a dropped repetition', async () => {
    const { text } = await extractText(file, 'a.ods');
    const dropped = text.replace('| four', '| ');
    const { entries } = await takeInventory(file, 'a.ods', { text: dropped, encoding: null });
    expect(entries.filter(({ outcome }) => outcome === 'lost')).toHaveLength(1);
  });
});
