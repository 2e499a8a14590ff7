import { afterEach, describe, expect, it } from '@jest/globals';
import { chooseLanguage } from '#cli/language.js';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { translateUsage } from './program.js';

/** Returns what a command line prints as an error. */
function errorOf(...words: string[]): string {
  let printed = '';
  const program = translateUsage(new Command('scriptorium'));
  const make = program.command('make');
  make
    .argument('<file>')
    .option('--size <n>', 'size', () => {
      throw new InvalidArgumentError('Zu groß.');
    })
    .addOption(new Option('--form <name>').choices(['a', 'b']))
    .requiredOption('--to <place>');
  for (const command of [program, make])
    command.exitOverride().configureOutput({ writeErr: (text) => void (printed += text) });
  expect(() => program.parse(words, { from: 'user' })).toThrow(CommanderError);
  return printed;
}

describe('translateUsage', () => {
  afterEach(() => chooseLanguage({}));

  it.each([
    [
      ['make', '--to', 'x', '--sise', '3'],
      'Fehler: Die Option „--sise“ gibt es nicht\n(Meinten Sie --size?)',
    ],
    [['mak'], 'Fehler: Den Befehl „mak“ gibt es nicht\n(Meinten Sie make?)'],
    [['make', '--to', 'x'], 'Fehler: Das Argument „file“ fehlt'],
    [['make', 'f'], 'Fehler: Die Option „--to <place>“ ist erforderlich'],
    [['make', 'f', '--to'], 'Fehler: Der Option „--to <place>“ fehlt ihr Wert'],
    [['make', '--size', '9'], 'Fehler: Die Option „--size <n>“ hat den ungültigen Wert „9“. Zu groß.'],
    [['make', '--form', 'c'], 'hat den ungültigen Wert „c“. Erlaubt sind a, b.'],
    [['make', 'f', 'g', '--to', 'x'], 'Fehler: Zu viele Argumente'],
  ])('shows the error of %j in German', async (words, shown) => {
    await chooseLanguage({ LANG: 'de_DE.UTF-8' });
    expect(errorOf(...words)).toContain(shown);
    expect(errorOf(...words)).toContain('BEFEHL --help');
  });

  it('shows the titles of the help in Polish, and errors without a translation unchanged', async () => {
    await chooseLanguage({ LANG: 'pl_PL.UTF-8' });
    expect(translateUsage(new Command('x').option('-a')).helpInformation()).toMatch(/^Użycie: x[^]*\nOpcje:/);
    await chooseLanguage({});
    expect(errorOf('make', '--to', 'x', '--sise')).toContain(
      "error: unknown option '--sise'\n(Did you mean --size?)",
    );
  });
});
