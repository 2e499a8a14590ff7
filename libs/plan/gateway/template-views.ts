import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { z } from 'zod';
import type { planTemplatesSchema } from '../contract/schemas.js';
import { parametersOf, planTemplates } from '../templates/catalogue.js';

/** The templates of plans as clients see them. */
export const templateViews: z.infer<typeof planTemplatesSchema>['items'] = planTemplates.map((template) => {
  const { name, tasks } = template;
  const title = phrase(`plan_template.${name}`);
  const about = phrase(`plan_template.${name}.about`);
  return {
    name,
    title: englishText(title),
    title_phrase: title,
    description: englishText(about),
    description_phrase: about,
    tools: [...new Set(tasks.map(({ tool }) => tool))],
    parameters: parametersOf(template).map(({ choices, ...parameter }) => {
      const label = phrase(`plan_template.parameter.${parameter.name}`);
      return {
        ...parameter,
        ...(choices && { choices: [...choices] }),
        label: englishText(label),
        label_phrase: label,
      };
    }),
  };
});
