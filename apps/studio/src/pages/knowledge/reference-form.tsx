import { Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { readNames, referenceTypes, type PersonName } from '#contracts/bibliography-names.js';
import type { Reference, ReferenceChange } from '#contracts/bibliography.js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { changeReference, type Source } from '../../api/knowledge';
import { ProblemAlert } from '../../ui/problem-alert';
import { Form } from '../../ui/form';

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
export default function ReferenceForm({ source, onSaved }: { source: Source; onSaved: () => void }) {
  const { t } = useTranslation();
  const { reference } = source;
  const [type, setType] = useState<string | null>(reference.type ?? null);
  const [authors, setAuthors] = useState(namesIn(reference.authors));
  const [texts, setTexts] = useState<Partial<Record<string, string>>>({});
  const saving = useMutation({
    mutationFn: () => changeReference(source, changeOf(reference, { type, authors, texts })),
    onSuccess: onSaved,
  });
  return (
    <Form onSubmit={() => saving.mutate()}>
      <Stack>
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
          autosize
          value={authors}
          onChange={(event) => setAuthors(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {LINES.map((field) => (
            <TextInput
              key={field}
              label={t(`reference.${field}`)}
              value={texts[field] ?? reference[field] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTexts((before) => ({ ...before, [field]: value }));
              }}
            />
          ))}
        </SimpleGrid>
        {saving.error && <ProblemAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {t('reference.save')}
          </Button>
        </Group>
      </Stack>
    </Form>
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
