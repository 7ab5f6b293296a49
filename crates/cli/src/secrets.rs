//! The codes that can be the secret, where a file lists them.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::anyhow;
use pegwise_game::Rules;
use pegwise_solve::secrets::SecretList;

use crate::text_file;

/// A file that lists the codes which can be the secret.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Listed {
    /// A file that lists the codes which can be the secret, one a line, each with a weight after it where some are likelier.
    #[arg(long = "secrets", value_name = "FILE", conflicts_with = "tree")]
    file: Option<PathBuf>,
}

impl Listed {
    /// The file, where one was given.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Reads the list, where there is one.
    pub(crate) fn load(&self, rules: &Rules) -> anyhow::Result<Option<Arc<SecretList>>> {
        self.file.as_deref().map(|path| load(path, rules).map(Arc::new)).transpose()
    }
}

fn load(path: &Path, rules: &Rules) -> anyhow::Result<SecretList> {
    let text = text_file::read(path)?;
    SecretList::parse(rules, &text).map_err(|error| {
        let line = error.number().map(|line| format!(":{line}")).unwrap_or_default();
        anyhow!("{}{line}: {error}", path.display())
    })
}
