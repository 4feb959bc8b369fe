// Plain SQL, because `wiki_counts` has no model: only triggers write this table.

export const selectCategoriesSql = `select slug, name, pages as count from wiki_counts
     join wiki_categories category on category.id = key::integer
     where counted = 'category' order by name, category.id`;

export const selectTagsSql = `select key as tag, pages as count from wiki_counts
     where counted = 'tag' order by pages desc, key`;
