def classic(view, options):
    return [1 / len(options)] * len(options)
