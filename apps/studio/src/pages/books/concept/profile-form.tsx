import { Autocomplete, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from '../../../i18n/i18n';
import type { Profile } from '../../../api/books';
import { CitationStyleSelect } from '../../../ui/citation-style-select';

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

interface ProfileFormProps {
  profile: Profile;
  onChange: (fields: Profile) => void;
}

/** Edits the profile field by field (B1). */
export function ProfileForm({ profile, onChange }: ProfileFormProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      {LINES.map(({ field, max, ...rest }) => (
        <TextInput
          key={field}
          label={t(`profile.${field}`)}
          maxLength={max}
          required={'required' in rest}
          value={profile[field] ?? ''}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
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
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        value={profile.instruction_brief ?? ''}
        onChange={(event) => onChange({ instruction_brief: event.currentTarget.value })}
      />
    </Stack>
  );
}
