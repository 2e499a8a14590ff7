import type { CitationStyle } from '#contracts/bibliography-names.js';
import { exportFormats, pdfStandards } from '#contracts/file-kinds.js';
import { Checkbox, Group, Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { CitationStyleSelect } from './citation-style-select';
import { ActionButton } from './actions';

interface ExportFormProps {
  /** Form of the notes at first. */
  initialStyle?: CitationStyle | null;
  isBusy?: boolean;
  /** Starts the export with these inputs of its run. @throws ApiProblem */
  onExport: (inputs: Record<string, unknown>) => Promise<unknown>;
  /** Warnings above the button. */
  children?: ReactNode;
}

/** Asks for the formats of exported files, the form of their notes and the standard of a PDF. */
export function ExportForm({ initialStyle = null, isBusy = false, onExport, children }: ExportFormProps) {
  const { t } = useTranslation();
  const [formats, setFormats] = useState<string[]>(['docx', 'pdf']);
  const [style, setStyle] = useState(initialStyle);
  const [standard, setStandard] = useState<string | null>(null);
  const isPdf = formats.includes('pdf');
  return (
    <>
      <Checkbox.Group label={t('export.formats')} value={formats} onChange={setFormats}>
        <Group mt={4}>
          {exportFormats.map((format) => (
            <Checkbox key={format} value={format} label={t(`format.${format}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <CitationStyleSelect value={style} onChange={setStyle} />
      {isPdf && (
        <Select
          label={t('pdfStandard.label')}
          placeholder={t('pdfStandard.none')}
          data={pdfStandards.map((value) => ({ value, label: t(`pdfStandard.${value}`) }))}
          value={standard}
          onChange={setStandard}
          clearable
          maw={400}
        />
      )}
      {children}
      <Group justify="flex-end">
        <ActionButton
          label={t('export.make')}
          loading={isBusy}
          disabled={formats.length === 0}
          act={() =>
            onExport({
              formats,
              ...(style && { citation_style: style }),
              ...(isPdf && standard && { pdf_standard: standard }),
            })
          }
        />
      </Group>
    </>
  );
}
