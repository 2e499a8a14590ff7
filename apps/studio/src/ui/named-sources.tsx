import { FileInput, TagsInput } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';

/** Maximum number of sources that a run accepts. */
const MAX_SOURCES = 20;

/** Pages by their addresses, and files, that a text is to be written from. */
export interface NamedSources {
  pages: string[];
  files: File[];
}

export const NO_SOURCES: NamedSources = { pages: [], files: [] };

/** Returns the names of the sources for the inputs of a run. */
export const namesOf = ({ pages, files }: NamedSources): string[] => [
  ...pages,
  ...files.map(({ name }) => name),
];

interface NamedSourcesProps {
  sources: NamedSources;
  onChange: (sources: NamedSources) => void;
}

/** Asks for pages and files that the author names (A6). */
export function NamedSourceFields({ sources, onChange }: NamedSourcesProps) {
  const { t } = useTranslation();
  return (
    <>
      <TagsInput
        label={t('namedSources.pages')}
        description={t('namedSources.pagesHint')}
        maxTags={MAX_SOURCES}
        value={sources.pages}
        onChange={(pages) => onChange({ ...sources, pages })}
      />
      <FileInput
        label={t('namedSources.files')}
        placeholder={t('newDocument.choose')}
        multiple
        clearable
        value={sources.files}
        onChange={(files) => onChange({ ...sources, files: files.slice(0, MAX_SOURCES) })}
      />
    </>
  );
}
