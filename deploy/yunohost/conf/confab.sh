#!/bin/sh
# The commands of Confab with the Node of the app and its settings, the file confab.yaml of this folder.
cd __INSTALL_DIR__ && exec env PATH=__PATH_WITH_NODEJS__ node_modules/.bin/confab "$@"
