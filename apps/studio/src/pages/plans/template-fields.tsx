import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { templatesQuery, type PlanTemplate } from '../../api/plans';
import { usePhrases } from '../../ui/use-phrases';

/** A chosen template with the values of its parameters, by name. */
export interface ChosenTemplate {
  template: PlanTemplate;
  values: Record<string, string>;
}

/** Returns whether every parameter of a template has a value. */
export const isFilled = ({ template, values }: ChosenTemplate): boolean =>
  template.parameters.every(({ name }) => (values[name] ?? '').trim() !== '');

interface TemplateFieldsProps {
  chosen: ChosenTemplate | null;
  /** Names of the files that a template can use. */
  files: string[];
  onChange: (chosen: ChosenTemplate | null) => void;
}

/** Chooses a template of a plan and fills in its parameters. */
export function TemplateFields({ chosen, files, onChange }: TemplateFieldsProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const templates = useQuery(templatesQuery).data?.items ?? [];
  const choose = (name: string | null) => {
    const template = templates.find((each) => each.name === name);
    const presets = template?.parameters.map((parameter) => [parameter.name, parameter.default ?? '']);
    onChange(template ? { template, values: Object.fromEntries(presets!) as Record<string, string> } : null);
  };
  return (
    <>
      <Select
        label={t('plans.template')}
        description={chosen && render(chosen.template.description_phrase, chosen.template.description)}
        clearable
        data={templates.map(({ name, title, title_phrase }) => ({
          value: name,
          label: render(title_phrase, title),
        }))}
        value={chosen?.template.name ?? null}
        onChange={choose}
      />
      {chosen?.template.parameters.map(({ name, kind, choices, label, label_phrase }) => {
        const shared = { label: render(label_phrase, label), required: true };
        const value = chosen.values[name] ?? '';
        const set = (next: string) => onChange({ ...chosen, values: { ...chosen.values, [name]: next } });
        return kind === 'text' ? (
          <TextInput
            key={name}
            {...shared}
            maxLength={1_000}
            value={value}
            onChange={(event) => set(event.currentTarget.value)}
          />
        ) : (
          <Select
            key={name}
            {...shared}
            data={choices ?? files}
            allowDeselect={false}
            value={value === '' ? null : value}
            onChange={(next) => set(next ?? '')}
          />
        );
      })}
    </>
  );
}
