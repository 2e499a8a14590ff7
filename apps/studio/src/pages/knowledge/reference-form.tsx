import { useClose } from '../../ui/new-item';
import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { readNames, referenceTypes, type PersonName } from '#contracts/bibliography-names.js';
import type { Reference, ReferenceChange } from '#contracts/bibliography.js';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { changeSource, type Source } from '../../api/knowledge';
import { textProps, SendForm } from '../../ui/actions';

const LINES = [
  'title',
  'issued',
  'container',
  'publisher',
  'place',
  'volume',
  'issue',
  'pages',
  'url',
  'doi',
] as const;

/** Names one in a line, in the form `Nowak, Ada`. */
const namesIn = (names: PersonName[] = []): string =>
  names.map(({ family, given }) => (given ? `${family}, ${given}` : family)).join('\n');

/** Edits what notes and bibliographies say about a source. */
export default function ReferenceForm({ source }: { source: Source }) {
  const { t } = useTranslation();
  const close = useClose();
  const { reference } = source;
  const [type, setType] = useState<string | null>(reference.type ?? null);
  const [authors, setAuthors] = useState(namesIn(reference.authors));
  const [texts, setTexts] = useState<Partial<Record<string, string>>>({});
  const save = () =>
    changeSource(source, { reference: changeOf(reference, { type, authors, texts }) }).then(close);
  return (
    <SendForm label={t('reference.save')} send={save}>
      <Select
        label={t('reference.type')}
        data={referenceTypes.map((value) => ({ value, label: t(`referenceType.${value}`) }))}
        value={type}
        onChange={setType}
        clearable
      />
      <Textarea
        label={t('reference.authors')}
        description={t('reference.authorsHint')}
        {...textProps(authors, setAuthors)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {LINES.map((field) => (
          <TextInput
            key={field}
            label={t(`reference.${field}`)}
            {...textProps(texts[field] ?? reference[field] ?? '', (typed) =>
              setTexts((before) => ({ ...before, [field]: typed })),
            )}
          />
        ))}
      </SimpleGrid>
    </SendForm>
  );
}

interface Edited {
  type: string | null;
  authors: string;
  texts: Partial<Record<string, string>>;
}

/** Returns the changed fields; null for those that are now empty. */
function changeOf(before: Reference, { type, authors, texts }: Edited): ReferenceChange {
  const names = authors.split('\n').flatMap((line) => readNames(line));
  return {
    ...Object.fromEntries(Object.entries(texts).map(([field, text = '']) => [field, text.trim() || null])),
    ...(type !== (before.type ?? null) && { type: type as ReferenceChange['type'] }),
    ...(authors !== namesIn(before.authors) && { authors: names.length > 0 ? names : null }),
  };
}
