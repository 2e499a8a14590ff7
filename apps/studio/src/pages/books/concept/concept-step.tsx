import {
  Group,
  SimpleGrid,
  Stack,
  Anchor,
  Autocomplete,
  NumberInput,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import { saveConcept, type Book, type Profile } from '../../../api/books';
import { useMay } from '../../../api/session';
import { ProblemAlert, Card, Hint } from '../../../ui/frames';
import { ProfileChat } from './profile-chat';
import { filled, useConcept, type Concept } from './use-concept';
import { collectionOfBook, sourcesOf } from '../../../api/knowledge';
import { AddFiles } from '../../knowledge/add-files';
import { SourceList } from '../../knowledge/source-list';
import { CitationStyleSelect } from '../../../ui/citation-style-select';
import { textProps, ActionButton } from '../../../ui/actions';

/** Edits the book's concept, by form or by conversation, and its sources (B1). */
export function ConceptStep({ book }: { book: Book | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const concept = useConcept(book);
  const goOn = async () => {
    const id = await concept.ensureBook();
    await saveConcept(id, filled(concept.draft.profile));
    await navigate({ to: `/books/${id}/outline` });
  };
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <fieldset className="plain-fieldset" disabled={!mayWrite}>
          <ProfileForm profile={concept.draft.profile} onChange={concept.change} />
        </fieldset>
        <ProfileChat concept={concept} />
      </SimpleGrid>
      <BookSources book={book} ensureBook={concept.ensureBook} />
      {concept.saving.error && <ProblemAlert error={concept.saving.error} />}
      <Group justify="space-between">
        <SaveState book={book} concept={concept} />
        {mayWrite && (
          <ActionButton
            label={t('concept.next')}
            disabled={!concept.draft.profile.title?.trim()}
            act={goOn}
          />
        )}
      </Group>
    </Stack>
  );
}

/** Shows where the concept is saved: only in this browser, or also on the server. */
function SaveState({ book, concept: { draft, saving } }: { book: Book | null; concept: Concept }) {
  const { t } = useTranslation();
  const state = saving.error ? 'notSaved' : book === null ? 'inBrowser' : draft.isDirty ? 'saving' : 'saved';
  return <Hint role="status">{t(`concept.${state}`)}</Hint>;
}

/** Lists the book's sources: notes and files, each with its weight (B14, B15). */
function BookSources({ book, ensureBook }: { book: Book | null; ensureBook: () => Promise<string> }) {
  const projectId = book?.id ?? null;
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const collection = useQuery({ ...collectionOfBook(projectId ?? ''), enabled: projectId !== null });
  const sources = useQuery({ ...sourcesOf(collection.data ?? ''), enabled: collection.data !== undefined });
  return (
    <Card
      title={t('bookSources.title')}
      actions={
        collection.data && (
          <Anchor component={Link} to={`/knowledge/${collection.data}`} size="sm">
            {t('bookSources.search')}
          </Anchor>
        )
      }
    >
      <Hint>{t('bookSources.text')}</Hint>
      {mayWrite && (
        <AddFiles
          label={t('bookSources.add')}
          collection={async () => collectionOfBook(await ensureBook()).queryFn()}
        />
      )}
      {sources.data && collection.data && (
        <SourceList collectionId={collection.data} sources={sources.data.items} />
      )}
    </Card>
  );
}

const LENGTHS = ['short', 'medium', 'long'] as const;
/** Languages with stemming in searches of sources; any other language tag is also valid. */
const LANGUAGES = ['en', 'pl', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'cs', 'uk'];
const LINES = [
  { field: 'title', max: 200, required: true },
  { field: 'subtitle', max: 300 },
  { field: 'author', max: 300 },
  { field: 'genre', max: 100 },
  { field: 'target_audience', max: 300 },
  { field: 'tone', max: 200 },
] as const;

/** Edits the profile field by field (B1). */
function ProfileForm({ profile, onChange }: { profile: Profile; onChange: (fields: Profile) => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      {LINES.map(({ field, max, ...rest }) => (
        <TextInput
          key={field}
          label={t(`profile.${field}`)}
          maxLength={max}
          required={'required' in rest}
          {...textProps(profile[field] ?? '', (typed) => onChange({ [field]: typed }))}
        />
      ))}
      <Group grow align="flex-end">
        <Autocomplete
          label={t('profile.language')}
          data={LANGUAGES}
          value={profile.language ?? ''}
          onChange={(language) => onChange({ language })}
        />
        <Select
          label={t('profile.chapter_length')}
          data={LENGTHS.map((value) => ({ value, label: t(`chapterLength.${value}`) }))}
          value={profile.chapter_length ?? null}
          onChange={(value) =>
            onChange({ chapter_length: (value as Profile['chapter_length']) ?? undefined })
          }
          clearable
        />
        <NumberInput
          label={t('profile.chapter_count')}
          min={1}
          max={500}
          allowDecimal={false}
          value={profile.chapter_count ?? ''}
          onChange={(count) => onChange({ chapter_count: typeof count === 'number' ? count : undefined })}
        />
      </Group>
      <CitationStyleSelect
        value={profile.citation_style ?? null}
        onChange={(style) => onChange({ citation_style: style ?? undefined })}
      />
      <Textarea
        label={t('profile.instruction_brief')}
        description={t('profile.briefHint')}
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        {...textProps(profile.instruction_brief ?? '', (typed) => onChange({ instruction_brief: typed }))}
      />
    </Stack>
  );
}
