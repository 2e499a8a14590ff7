import { Select } from '@mantine/core';
import { citationStyles, type CitationStyle } from '#contracts/bibliography-names.js';
import { useTranslation } from '../i18n/i18n';

interface CitationStyleSelectProps {
  /** Null for notes without a style. */
  value: CitationStyle | null;
  onChange: (style: CitationStyle | null) => void;
}

/** Chooses the form of notes and bibliography of an exported file. */
export function CitationStyleSelect({ value, onChange }: CitationStyleSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('citationStyle.label')}
      placeholder={t('citationStyle.plain')}
      data={citationStyles.map((style) => ({ value: style, label: t(`citationStyle.${style}`) }))}
      value={value}
      onChange={(style) => onChange(style as CitationStyle | null)}
      clearable
      maw={400}
    />
  );
}
